// TypeScript as ES modules, compiled file by file; grammar/*.js are the generated parsers and stay as they are.
export default {
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } }],
  },
  moduleNameMapper: { '^(\\.{1,2}/(?!.*grammar/).*)\\.js$': '$1' },
  testTimeout: 300_000,
  // most tests wait for programs that they start: on two cores jest alone would take one worker
  maxWorkers: 2,
}
