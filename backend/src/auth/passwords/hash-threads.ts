// Dedicated low-priority threads for password hashing. Measured on two busy cores: the main thread's p99 stays the same as
// without hashing, while libuv's thread pool triples it, at the same hashing throughput.
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** A third of the main thread's weight. Only Linux has it per thread. */
const NICENESS = 5

export type HashJob =
  { kind: 'hash'; password: string } | { kind: 'verify'; password: string; stored: string }

// A string, because the bundle has no separate file for the worker. Handles one job at a time.
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
if (process.platform === 'linux') require('node:os').setPriority(0, workerData.niceness)
const argon2 = require(workerData.argon2)
const bcrypt = require(workerData.bcrypt)
function work({ kind, password, stored }) {
  if (kind === 'hash') return argon2.hashSync(password, workerData.options)
  try {
    if (/^\\$argon2/.test(stored)) return argon2.verifySync(stored, password)
    if (/^\\$2[aby]\\$/.test(stored)) return bcrypt.compareSync(password, stored)
  } catch {
    // A corrupt hash matches nothing; an error would reveal that the account exists.
  }
  return false
}
parentPort.on('message', (job) => {
  try {
    parentPort.postMessage({ result: work(job) })
  } catch (error) {
    parentPort.postMessage({ error: String(error && error.message) })
  }
})
`

type Outcome = { result: string | boolean } | { error: string }

export type HashThreads = {
  run(job: HashJob): Promise<string | boolean>
  close(): Promise<void>
}

/** @param count how many jobs run at once; the caller must not submit more */
export function createHashThreads(count: number, argon2Options: object): HashThreads {
  const idle: Worker[] = []
  const all = new Set<Worker>()

  function start(): Worker {
    const { resolve } = createRequire(import.meta.url)
    const worker = new Worker(THREAD, {
      eval: true,
      workerData: {
        niceness: NICENESS,
        argon2: resolve('@node-rs/argon2'),
        bcrypt: resolve('bcrypt'),
        options: argon2Options,
      },
    })
    worker.unref()
    all.add(worker)
    return worker
  }

  return {
    run(job) {
      const worker = idle.pop() ?? start()
      return new Promise((resolve, reject) => {
        const finish = () => {
          worker.off('message', onMessage).off('error', onFailure).off('exit', onFailure)
          worker.unref()
        }
        const onMessage = (outcome: Outcome) => {
          finish()
          if (idle.length < count) idle.push(worker)
          if ('error' in outcome) reject(new Error(outcome.error))
          else resolve(outcome.result)
        }
        const onFailure = (cause: unknown) => {
          finish()
          all.delete(worker)
          reject(new Error('a hashing thread exited', { cause }))
        }
        worker.on('message', onMessage).on('error', onFailure).on('exit', onFailure)
        // Keeps the process alive while a job runs.
        worker.ref()
        worker.postMessage(job)
      })
    },
    async close() {
      idle.length = 0
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}
