// Threads of our own for hashing passwords, of lower priority than everything else: measured on two busy cores, the main
// thread's p99 then stays what it is without hashing, where libuv's threads treble it, and as many passwords are checked.
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** Weighs a third of the main thread. Linux alone sets it per thread. */
const NICENESS = 5

export type HashJob =
  { kind: 'hash'; password: string } | { kind: 'verify'; password: string; stored: string }

// A text, because a bundle has no file of its own for the thread. It answers each job in turn.
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
    // A damaged hash matches nothing; an error would tell that there is an account.
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

type Answer = { result: string | boolean } | { error: string }

export type HashThreads = {
  run(job: HashJob): Promise<string | boolean>
  close(): Promise<void>
}

/** @param count how many jobs run at once; the caller sees to it that no more are given */
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
        const onMessage = (answer: Answer) => {
          finish()
          if (idle.length < count) idle.push(worker)
          if ('error' in answer) reject(new Error(answer.error))
          else resolve(answer.result)
        }
        const onFailure = (cause: unknown) => {
          finish()
          all.delete(worker)
          reject(new Error('a hashing thread ended', { cause }))
        }
        worker.on('message', onMessage).on('error', onFailure).on('exit', onFailure)
        // While a job runs, the process must not end for want of anything else to do.
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
