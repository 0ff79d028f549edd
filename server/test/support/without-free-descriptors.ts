import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Evaluates an expression in a process that can open no further file, and to which nothing but its own failure happens.
 *
 * @param setUp statements that run before: imports, and what reads files the first time
 * @param expression can await
 * @returns what the expression gives, as text
 */
export async function withoutFreeDescriptors(setUp: string, expression: string): Promise<string> {
  const script = `
    import { closeSync, openSync } from 'node:fs'
    ${setUp}
    const used = []
    try {
      for (;;) used.push(openSync('/dev/null'))
    } catch {}
    const result = ${expression}
    // A rejection that nothing handles ends the process first.
    await new Promise(setImmediate)
    used.forEach((each) => closeSync(each))
    console.log(result)
    process.exit()`
  const limited = ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script]
  return (await promisify(execFile)('sh', limited, { timeout: 60_000, killSignal: 'SIGKILL' })).stdout
}
