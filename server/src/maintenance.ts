// The programs beside the server: `backup`, `restore` and `archive`, and `nightly`, which the server starts itself.
import { constants } from 'node:os'
import { archiveCommand, COULD_NOT_LOOK } from './archive/archive-command.ts'
import { BackupError } from './backup/archive/errors.ts'
import { backupCommand, restoreCommand, type CommandContext } from './backup/commands.ts'
import { nightlyCommand } from './backup/nightly/nightly-command.ts'
import { readSettings, SettingsError } from './settings.ts'

/** One that has more to say than that it succeeded returns its exit code. */
type Command = (args: string[], context: CommandContext) => Promise<number | void>

const commands: Record<string, Command> = {
  archive: archiveCommand,
  backup: backupCommand,
  restore: restoreCommand,
  nightly: nightlyCommand,
}

const [name = '', ...args] = process.argv.slice(2)
const stopping = new AbortController()
/** What a shell expects of a program that this signal ended. */
let stopped = 0
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    stopped ||= 128 + constants.signals[signal]
    stopping.abort(new BackupError('Stopped before the end.'))
  })

try {
  const command = commands[name]
  if (!command) throw new BackupError(`Unknown command ${name}.`)
  const settings = readSettings(process.env)
  const exitCode = await command(args, {
    settings,
    signal: stopping.signal,
    print: (line) => process.stdout.write(`${line}\n`),
  })
  if (exitCode) process.exitCode = exitCode
} catch (error) {
  const isKnown = error instanceof BackupError || error instanceof SettingsError
  console.error(isKnown ? error.message : `It failed: ${(error as Error).message}`)
  const failed = name === 'archive' ? COULD_NOT_LOOK : 1
  process.exitCode = stopped || failed
}
