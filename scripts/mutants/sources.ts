import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hashOf, sourceKey } from './measured-test.ts'
import { mutantsOf, type Mutant } from './mutations.ts'

export const root = resolve(import.meta.dirname, '../..')

/** A source file that is mutated. */
export interface MutatedSource {
  /** From the project root. */
  readonly file: string
  readonly text: string
  /** The file and its version. */
  readonly key: string
  readonly mutants: readonly Mutant[]
}

export function readSources(): MutatedSource[] {
  return globSync('server/src/{access,auth,gate}/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return { file, text, key: sourceKey({ file, hash: hashOf(text) }), mutants: mutantsOf(file, text) }
    })
}
