import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { hitsVariable } from './hits-names.ts'
import { hashOf, type MeasuredTest, type TestFile } from './measured-test.ts'
import { createRunner } from './runner-process.ts'

const root = resolve(import.meta.dirname, '../..')

export interface MeasureOptions {
  /** Results of an earlier run; a test file that has not changed since is not run again. */
  readonly known: readonly MeasuredTest[]
  /** Whether the test is needed. */
  readonly isNeeded: (test: TestFile) => boolean
  /** Called after each test file with all results so far. */
  readonly save: (tests: MeasuredTest[]) => void
}

/**
 * Runs each test file once with the source as it is, and writes down what it reaches and how long it takes. One that
 * fails cannot notice a mutant: it is printed and left out.
 */
export async function measureTests({ known, isNeeded, save }: MeasureOptions): Promise<MeasuredTest[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mutants-'))
  const output = join(folder, 'hits')
  const runner = createRunner({ [hitsVariable]: output })
  try {
    const listed = (await runner.list()).filter(({ file }) => /^(?:server|attacks)\//.test(file))
    const hashes = new Map(listed.map(({ file }) => [file, hashOf(readFileSync(join(root, file), 'utf8'))]))
    const tests = known.filter(({ file, hash }) => hashes.get(file) === hash)
    for (const test of listed.filter(isNeeded)) {
      if (tests.some(({ file }) => file === test.file)) continue
      rmSync(output, { force: true })
      const reply = await runner.run({ mutant: null, tests: [test] }, 10 * 60_000)
      if (reply === undefined || reply.failure !== undefined) {
        console.log(`left out, because it fails without any change: ${reply?.failure ?? test.file}`)
        continue
      }
      const hits = existsSync(output) ? hitsFrom(readFileSync(output, 'utf8')) : {}
      tests.push({ ...test, seconds: reply.seconds[test.file] ?? 0, hash: hashes.get(test.file) ?? '', hits })
      save(tests)
    }
    return tests
  } finally {
    runner.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param line as hits-setup.ts writes it */
function hitsFrom(line: string): MeasuredTest['hits'] {
  const byFile = new Map<string, number[]>()
  for (const hit of JSON.parse(line) as string[]) {
    const [source = '', offset] = hit.split(' ')
    byFile.set(source, [...(byFile.get(source) ?? []), Number(offset)])
  }
  return Object.fromEntries(byFile)
}
