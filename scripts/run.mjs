import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

const ORPHAN_CHECK_MS = 500

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The demo team has its own folder, so that `npm start` never mixes it with a real team's data. */
export const DEMO_FOLDER = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).config
  .demo_folder

/**
 * Runs a command in the project's root and prints its output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, quiet?: boolean, isSilent?: boolean, isPatient?: boolean }} [options] quiet shows
 *   the output only after a failure, silent never; a patient command takes the time that others leave
 * @returns {Promise<number>} its exit code
 */
export function run(command, args, options = {}) {
  const { env = {}, isSilent = false, quiet = isSilent, isPatient = false } = options
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
      shell: process.platform === 'win32',
    })
    if (isPatient && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    const output = []
    child.stdout?.on('data', (chunk) => output.push(chunk))
    child.stderr?.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`)
      resolve(1)
    })
    child.on('close', (code) => {
      if (quiet && !isSilent && code !== 0) process.stderr.write(Buffer.concat(output))
      resolve(code ?? 1)
    })
  })
}

/** The path of an npm-installed binary. @param {string} name */
export function tool(name) {
  return fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))
}

/**
 * Starts long-running commands, forwards signals and exits when the first of them exits.
 * @param {{ command: string, args: string[], env?: Record<string, string>, isWatcher?: boolean }[]} commands
 */
export function runUntilStopped(commands) {
  // The terminal sends Ctrl-C to the children too, `kill` does not. A second signal would make a watcher kill the
  // server before Postgres has stopped, so it is out of the terminal's reach; everything else takes it as the first.
  const children = commands.map(({ command, args, env = {}, isWatcher = false }) =>
    spawn(command, args, {
      cwd: ROOT,
      stdio: [isWatcher ? 'ignore' : 'inherit', 'inherit', 'inherit'],
      detached: isWatcher,
      env: { ...process.env, ...env },
    }),
  )
  let isInterrupted = false
  let wasPassedOn = false
  process.on('SIGINT', () => {
    children.forEach((child, index) => {
      if (!wasPassedOn || !commands[index].isWatcher) child.kill('SIGINT')
    })
    isInterrupted = wasPassedOn = true
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      wasPassedOn = true
      children.forEach((child) => child.kill(signal))
    })
  }
  // What ends npm by a signal that it does not pass on, such as SIGHUP, leaves this process behind as an orphan.
  const parent = process.ppid
  const orphanCheck = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(orphanCheck)
    // A second signal would end the server at once.
    if (!wasPassedOn) children.forEach((child) => child.kill('SIGTERM'))
  }, ORPHAN_CHECK_MS)
  orphanCheck.unref()
  let running = children.length
  let exitCode = 0
  for (const child of children) {
    child.on('exit', (code) => {
      exitCode ||= code ?? 0
      running--
      if (!isInterrupted)
        children.forEach((other) => other.exitCode === null && other.kill('SIGTERM'))
      if (running === 0) process.exit(exitCode)
    })
  }
}
