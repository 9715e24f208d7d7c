// What counts as executing a token: the examples of the table, on both engines.
import { beforeAll, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { executing } from '../src/2-plan/icon-executing.js'
import { inFolder, requireIcon, runScamp, type JsonReport } from './programs.js'

beforeAll(requireIcon)

test.each(['iconx', 'embedded'])('each kind of token is executed as the table says, on %s', (engine) => {
  const text = `procedure main()\n${executing.map(({ example }) => `   ${example}\n`).join('')}end\n`
  inFolder({ 'program.icn': text }, (cwd) => {
    const words = ['run', '--engine', engine, '--monitor', 'tokens', '-f', 'json', '-o', 'report', 'program.icn']
    expect(runScamp(words, { cwd })).toMatchObject({ status: 0, stderr: '' })
    const { tokens } = (JSON.parse(readFileSync(join(cwd, 'report'), 'utf8')) as JsonReport).files[0]
    const found = executing.map(({ kind }, i) => ({
      kind,
      counts: tokens.filter(({ line }) => line === i + 2).map((token) => [token.text, Number(token.count)]),
    }))
    expect(found).toEqual(executing.map(({ kind, counts }) => ({ kind, counts })))
  })
})

test('the token list is numbered from 1: number, line, column, text', () => {
  inFolder({ 'a.icn': 'procedure main()\n\twrite("a b",\n   1)\nend\n' }, (cwd) => {
    expect(runScamp(['tokens', 'a.icn'], { cwd })).toEqual({
      status: 0,
      signal: null,
      stdout: '1 2 2 write\n2 2 8 "a b"\n3 3 4 1\n',
      stderr: '',
    })
    expect(runScamp(['tokens', '-o', 'list', 'a'], { cwd })).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(readFileSync(join(cwd, 'list'), 'latin1')).toMatch(/^1 2 2 write\n/)
  })
})

test('its numbers are those of the report on tokens', () => {
  inFolder({ 'a.icn': 'procedure main()\n   every write(1 to 3)\nend\n' }, (cwd) => {
    const list = runScamp(['tokens', 'a.icn'], { cwd }).stdout.trimEnd().split('\n')
    const { stderr } = runScamp(['run', '-f', 'tokens', 'a.icn'], { cwd })
    const rows = stderr.split('\n').slice(3, -1)
    expect(
      rows.map((row) => row.trim().split(/ +/)).map(([number, line, column, , text]) => [number, line, column, text]),
    ).toEqual(list.map((line) => line.split(' ')))
  })
})

test('--help tells when tokens are executed', () => {
  inFolder({}, (cwd) => {
    const { stdout } = runScamp(['tokens', '--help'], { cwd })
    const help = Buffer.from(stdout, 'latin1').toString('utf8').replace(/\s+/g, ' ')
    for (const { kind, executed, source } of executing) {
      for (const text of [kind, executed, source]) expect(help).toContain(text)
    }
  })
})
