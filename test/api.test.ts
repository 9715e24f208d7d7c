// What others import from scamp: the tarball that npm packs, used by a program of theirs that TypeScript checks.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, root } from './programs.js'

let folder: string

// what README.md shows
const consumer = `import { coverageOf, instrument, report, run, ScampError, type Source } from 'scamp'

const source: Source = { name: 'count.icn', language: 'icon', text: 'procedure main(args)\\n   every write(1 to args[1])\\nend\\n' }

const { profile, run: ran } = await run([source], [], { monitor: 'tokens' }, { args: ['3'], folder: 'profiles' })
if (!profile) throw new Error('no counts')
const { covered, total } = coverageOf(profile).totals.item
console.log(ran.end.kind, profile.runs, covered, total)
console.log(report(profile, 'listing', { textOf: () => source.text }))
console.log(report(profile, 'lcov').split('\\n')[1])

const [amended] = await instrument([source])
console.log(amended.text.split('\\n').length > 3)

try {
  await instrument([{ ...source, text: 'procedure main(' }])
} catch (error) {
  console.log(error instanceof ScampError, (error as ScampError).message)
}
`

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'scamp-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a program that imports the packed tarball is checked, and runs', () => {
  const offline = { npm_config_offline: 'true', npm_config_loglevel: 'error' }
  const packed = command('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root, env: offline })
  expect(packed.status).toBe(0)
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  expect(command('tar', ['xzf', join(folder, tarball)], { cwd: modules }).status).toBe(0)
  symlinkSync(join(modules, 'package'), join(modules, 'scamp'))
  // what npm would install beside it
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (/^(?:istanbul-|html-escaper|make-dir|semver|supports-color|has-flag|commander|@types)/.test(name)) {
      symlinkSync(join(root, 'node_modules', name), join(modules, name))
    }
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(join(folder, 'consumer.ts'), consumer)
  const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node', 'consumer.ts']
  const checked = command(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options], {
    cwd: folder,
  })
  expect(checked.stdout).toBe('')
  expect(checked.status).toBe(0)
  const { stdout, stderr, status } = command(process.execPath, ['consumer.js'], { cwd: folder })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(stdout.split('\n')).toEqual([
    '1',
    '2',
    '3',
    expect.stringMatching(/^exit 1 \d+ \d+$/),
    'count.icn',
    '',
    '1  procedure main(args)',
    '2     every write(1 to args[1])',
    expect.stringMatching(/^ +1 +3 +1 +4 +1/),
    expect.stringMatching(/^ +1$/),
    '3  end',
    '',
    'SF:count.icn',
    'true',
    expect.stringMatching(/^true expected an identifier/),
    '',
  ])
  // the command of the tarball runs as well
  const version = command(process.execPath, [join(modules, 'scamp/dist/cli/scamp.js'), '--version'], { cwd: folder })
  expect(version).toMatchObject({ status: 0, stdout: '0.1.0\n' })
})
