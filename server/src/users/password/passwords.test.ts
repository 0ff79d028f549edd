import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { systemRandom } from '../../shared/random.ts'
import { derivedLength } from './derive.ts'
import type { HashingProcess } from './hashing-process.ts'
import { createPasswords } from './passwords.ts'

test('[RATE-7] as many passwords are hashed at a time as there are cores', async () => {
  const cores = availableParallelism()
  const finish: ((hash: Buffer) => void)[] = []
  const threads: number[] = []
  const passwords = createPasswords({
    createHashing({ concurrency }) {
      threads.push(concurrency)
      return {
        derive: () => new Promise<Buffer>((resolve) => void finish.push(resolve)),
        stop: () => undefined,
      } as unknown as HashingProcess
    },
    random: systemRandom,
    log: silent,
  })
  for (let nth = 0; nth < cores + 3; nth += 1) void passwords.hash('a password of a test')
  await expect.poll(() => finish.length).toBe(cores)
  finish[0]?.(Buffer.alloc(derivedLength))
  await expect.poll(() => finish.length).toBe(cores + 1)
  expect(threads).toEqual([cores])
})
