import { systemRandom } from '../shared/random.ts'
import type { PasswordOrigin } from '../users/user.ts'
import { derive } from '../users/password/derive.ts'
import { passwordProblem } from '../users/password/password-rules.ts'
import { hashPassword } from '../users/password/password.ts'
import { randomPassword } from '../users/password/random-password.ts'
import type { CommandOption, Given, Terminal } from './command.ts'
import { CommandError } from './exit-codes.ts'

export const passwordOption: CommandOption = {
  name: 'password-stdin',
  description: 'read the password from standard input, up to the end of its first line; otherwise, one is generated',
}

export interface NewPassword {
  readonly hash: string
  /** At the next sign-in, the user is asked for another one: this one is known to others. */
  readonly origin: PasswordOrigin
  /** The generated password; undefined if it was given. */
  readonly generated: string | undefined
}

/** @throws CommandError `usage` if the given password isn't allowed (USER-2) */
export async function newPassword(
  given: Given,
  userName: string,
  { input }: Pick<Terminal, 'input'>,
): Promise<NewPassword> {
  if (!given.has('password-stdin')) {
    const generated = randomPassword(systemRandom)
    return { hash: await hashPassword(generated, systemRandom, derive), origin: 'printed', generated }
  }
  const password = await firstLine(input)
  const problem = await passwordProblem(password, userName)
  if (problem) throw new CommandError('usage', `password: ${problem.message}`)
  return { hash: await hashPassword(password, systemRandom, derive), origin: 'given', generated: undefined }
}

/** Prints a generated password alone to the output, so that a script can read it. */
export function printPassword(
  { generated }: NewPassword,
  { output, errors }: Pick<Terminal, 'output' | 'errors'>,
): void {
  if (generated === undefined) return
  errors.write('The password, which is not shown again:\n')
  output.write(`${generated}\n`)
}

/** More than any password has. */
const maxLength = 10_000

async function firstLine(input: Terminal['input']): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    length += bytes.length
    if (bytes.includes('\n') || length > maxLength) break
  }
  const [line = ''] = Buffer.concat(chunks).toString().split('\n', 1)
  return line.replace(/\r$/, '')
}
