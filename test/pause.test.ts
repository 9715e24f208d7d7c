// Halting a worker thread: a process whose thread is halted can end.
import { expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './programs.js'

const halting = (then: string) => `
import { Worker } from 'node:worker_threads'
import { haltOf } from ${JSON.stringify(join(root, 'dist/src/4-run/pause.js'))}
const text = 'import { parentPort } from "node:worker_threads"; globalThis.name = () => "Icon"; '
const worker = new Worker(text + 'parentPort.postMessage("running"); for (;;) name()', { eval: true })
worker.once('message', async () => {
  const halted = await haltOf(worker)()
  process.stdout.write(String(await halted?.ask('name')))
  ${then}
})
`

test.each([
  ['by an exit', 'process.exit(3)', 3],
  ['by an error that nobody catches', 'setTimeout(() => { throw new Error("lost") })', 1],
])('a process with a halted thread ends %s', (_, then, status) => {
  const args = ['--input-type=module', '-e', halting(then)]
  const ended = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 20_000 })
  expect({ status: ended.status, stdout: ended.stdout }).toEqual({ status, stdout: 'Icon' })
})
