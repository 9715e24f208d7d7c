// Measures merging. `node bench/merging.js [--shards N] [--counters N] [--contexts N] [--small N]` makes that many profiles
// of one large source, merges them, then as many small ones, and prints time and greatest memory of each whole command.
// Needs a built dist/, Debian's time, and room for the profiles: 10,000 of 70,000 counters take 1.4 GB.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keepPlan, writeCounts, writePlan } from '../dist/src/5-profile/file.js'
import { prepare } from '../dist/src/prepare.js'
import { must, printTable, timed } from './measure.js'

const { values } = parseArgs({
  options: {
    shards: { type: 'string', default: '10000' },
    counters: { type: 'string', default: '70000' },
    contexts: { type: 'string', default: '1' },
    small: { type: 'string', default: '100000' },
  },
})
const scamp = new URL('../dist/cli/scamp.js', import.meta.url).pathname

/** A program that needs about so many counters, for each `if` needs one. */
const program = (counters) => {
  const ifs = Array.from({ length: counters - 1 }, (_, i) => ` if x = ${i} then y +:= 1\n`)
  return `procedure main()\n${ifs.join('')}end\n`
}

/** Makes profiles in a folder: counters as runs leave them, most of them small. Answers how many counters each has. */
async function makeProfiles(folder, count, counters, contexts) {
  const source = { name: 'large.icn', text: program(counters), language: 'icon' }
  const [prepared] = await prepare({
    sources: [source],
    destinations: [{ kind: 'kept' }],
    probing: 'basis',
    monitor: 'constructs',
    isWhole: true,
    lpath: '',
    sandbox: false,
  })
  const kept = keepPlan(source.name, prepared.hash, prepared.plan)
  writePlan(folder, kept)
  const size = prepared.plan.flow.counters
  // so many are made, the others are copies of them
  const made = Math.min(count, Math.max(contexts, 20))
  for (let shard = 0; shard < made; shard++) {
    // 1 to 5 bytes long
    const values = Array.from({ length: size }, (_, i) => BigInt(((i * 7919 + shard) % 1000) ** (1 + (i % 3))))
    writeCounts(folder, `host.${shard}.counts`, {
      program: 'large',
      context: contexts > 1 ? `test ${shard % contexts}` : '',
      time: '2026-01-01T00:00:00.000Z',
      runs: 1,
      end: { kind: 'exit', status: 0 },
      checkpoint: false,
      sources: [{ id: kept.id, counters: values, pending: [] }],
    })
  }
  for (let shard = made; shard < count; shard++) {
    copyFileSync(join(folder, `host.${shard % made}.counts`), join(folder, `host.${shard}.counts`))
  }
  return size
}

async function measure(folder, count, counters, contexts) {
  mkdirSync(folder)
  const size = await makeProfiles(folder, count, counters, contexts)
  const megabytes = Number(must('du', ['-sm', '--apparent-size', folder]).split('\t')[0])
  const sum = `${folder}-sum`
  const command = [process.execPath, scamp, 'merge', '-o', sum, folder]
  const { elapsed, user, status, stderr } = timed('/usr/bin/time', ['-f', '%M', ...command], {})
  if (status !== 0) throw new Error(stderr)
  const memory = Number(stderr.trimEnd().split('\n').pop()) / 1024
  return [
    `${count} of ${size} counters, ${contexts} contexts`,
    String(megabytes),
    elapsed.toFixed(1),
    user.toFixed(1),
    memory.toFixed(0),
  ]
}

const folder = mkdtempSync(join(tmpdir(), 'scamp-bench-'))
try {
  const large = await measure(
    join(folder, 'large'),
    Number(values.shards),
    Number(values.counters),
    Number(values.contexts),
  )
  const small = await measure(join(folder, 'small'), Number(values.small), 20, Number(values.contexts))
  printTable([['profiles', 'MB', 'elapsed s', 'user CPU s', 'memory MB'], large, small])
} finally {
  rmSync(folder, { recursive: true })
}
