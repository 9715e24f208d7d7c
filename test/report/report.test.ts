import { describe, expect, test } from '@jest/globals'
import { ScampError } from '../../src/error.js'
import { constructs } from '../../src/6-report/constructs.js'
import { json } from '../../src/6-report/json.js'
import { formats, report } from '../../src/6-report/report.js'
import { summary } from '../../src/6-report/summary.js'
import { options } from './counts.js'
import { everything } from './profiles.js'

const names =
  'scamp summary uncovered listing tokens hot search html json markdown lcov cobertura clover istanbul teamcity github callgrind collapsed'.split(
    ' ',
  )

describe('report', () => {
  test('draws what each format says', () => {
    expect(Object.keys(formats)).toEqual(names)
    expect(report(everything, 'scamp', options())).toBe(constructs(everything))
    expect(report(everything, 'summary', options(undefined, { columns: 50 }))).toBe(summary(everything, 50))
    expect(report(everything, 'json', options())).toBe(json(everything, options()))
  })

  test('an unknown format is answered by those there are', () => {
    for (const name of ['HTML', '', 'constructor']) {
      const ask = () => report(everything, name, options())
      expect(ask).toThrow(ScampError)
      expect(ask).toThrow(`unknown format "${name}"; there are ${names.join(', ')}`)
    }
  })
})

describe('json', () => {
  interface Parsed {
    format: string
    version: number
    runs: number
    notes: string[]
    files: {
      name: string
      hash: string
      sites: {
        kind: string
        name: string | null
        line: number
        column: number
        counts: { name: string; count: string; exact: boolean }[]
      }[]
      unmonitored: { line: number; what: string }[]
    }[]
  }
  const parsed = JSON.parse(json(everything, options())) as Parsed

  test('says what it is', () => {
    const { files, ...head } = parsed
    const notes = ['one run of three was cut short by a signal']
    expect(head).toEqual({ format: 'scamp-report', version: 1, runs: 3, notes })
    expect(files.map(({ name }) => name)).toEqual(['queens.icn', 'lib/a\tb.icn', 'empty.icn'])
    expect(files[0].hash).toBe('0123abcd')
    expect(files[0].unmonitored).toEqual([{ line: 28, what: 'procedure' }])
  })

  test('has a site of each kind, all in one shape', () => {
    const [file] = parsed.files
    const at = (line: number) => file.sites.find((site) => site.line === line)
    expect(at(4)).toEqual({
      kind: 'block',
      name: null,
      line: 4,
      column: 3,
      counts: [{ name: 'passes', count: '3', exact: true }],
    })
    expect(at(14)?.counts).toEqual([
      { name: 'true', count: '25', exact: false },
      { name: 'false', count: '231', exact: true },
    ])
    expect(at(15)).toMatchObject({ kind: 'do', name: 'while', counts: [{ name: 'passes', count: '0' }] })
    expect(at(20)).toMatchObject({ kind: 'procedure', name: 'p' })
    expect(at(20)?.counts.map(({ name }) => name)).toEqual(['calls', 'returns', 'suspends', 'resumptions', 'failures'])
    expect(at(24)?.counts.map(({ name }) => name)).toEqual(['1', '2', '3', '4', '5', '6', '7', 'default'])
  })

  test('keeps every count exactly', () => {
    const counts = parsed.files[0].sites.flatMap((site) => site.counts.map(({ count }) => BigInt(count)))
    expect(counts).toContain(2n ** 70n)
  })
})
