import { spawn, type ChildProcess } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { OutputTarget } from './output-target.ts'
import { asciiJson, priorityOf, type SyslogHeader } from './syslog-message.ts'
import { withinTimeout } from './within-timeout.ts'

/**
 * The socket of a syslog daemon on this machine. Such sockets take datagrams, which Node.js can't send, so that the
 * program `logger` of util-linux sends them, in the format that these daemons expect from a local program.
 */
export function loggerTarget(
  path: string,
  { facility, appName }: Pick<SyslogHeader, 'facility' | 'appName'>,
): OutputTarget {
  const args = ['--socket', path, '--socket-errors=on', '--tag', appName, '--prio-prefix', '--size', '64KiB']
  return {
    async write(lines) {
      if (!(await stat(path)).isSocket()) throw new Error(`${path} isn't a socket`)
      const child = startLogger(args)
      try {
        const ended = new Promise<number | null>(
          (resolve, reject) => void child.on('error', reject).on('close', resolve),
        )
        // Its exit code says what went wrong.
        child.stdin?.on('error', () => undefined)
        child.stdin?.end(lines.map((line) => `${priorityOf(line, facility)}${asciiJson(line)}\n`).join(''))
        const [status, errors] = await withinTimeout(() => Promise.all([ended, child.stderr ? text(child.stderr) : '']))
        // A message that could not be sent is only a warning of the program.
        if (status !== 0 || errors !== '') throw new Error(errors.trim().slice(0, 500) || `logger ended with ${status}`)
      } finally {
        child.kill('SIGKILL')
      }
    },
    close: () => Promise.resolve(),
  }
}

/** Without a free file descriptor, the child has neither pipes nor a process, only an error. */
const startLogger = (args: readonly string[]): ChildProcess =>
  spawn('logger', args, { stdio: ['pipe', 'ignore', 'pipe'], env: { PATH: process.env['PATH'] } })
