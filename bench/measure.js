// Measuring other processes, and laying out what was measured.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs a command and measures it, and what it starts, with bash's `time`.
 *
 * options  as spawnSync's; after a minute of CPU time the command is killed
 * returns  user: seconds of user CPU time; elapsed: seconds by the clock; and spawnSync's stdout and status
 */
export function timed(command, args, options) {
  const script = 'ulimit -t 60; TIMEFORMAT=$\'\\n%3U %3R\'; time "$@"'
  const stdio = options.stdio ?? ['ignore', 'pipe', 'pipe']
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', command, ...args], {
    encoding: 'latin1',
    ...options,
    stdio,
  })
  const lines = stderr.trimEnd().split('\n')
  const [user, elapsed] = lines.pop().split(' ').map(Number)
  return { user, elapsed, status, stdout, stderr: lines.join('\n').trimEnd() }
}

/** Runs a command that must succeed. */
export function must(command, args, options) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'latin1', ...options })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? `status ${status}\n${stdout}${stderr}`}`)
  return stdout
}

export function inTemporaryFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'scamp-bench-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const least = (numbers) => Math.min(...numbers)

export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export const geometricMean = (numbers) =>
  Math.exp(numbers.reduce((sum, one) => sum + Math.log(one), 0) / numbers.length)

/** Prints rows of cells in columns: the first to the left, the others to the right. */
export function printTable(rows) {
  const widths = rows[0].map((_, column) => least(rows.map((row) => -row[column].length)) * -1)
  for (const row of rows) {
    const cells = row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
    console.log(cells.join('  '))
  }
}
