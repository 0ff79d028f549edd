import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { hitsVariable } from './hits-names.ts'
import type { MeasuredTest } from './plan.ts'
import { hashOf } from './report.ts'
import { createRunner } from './runner-process.ts'
import type { TestFile } from './test-runner.ts'

const root = resolve(import.meta.dirname, '../..')

/**
 * Runs all tests once with the source as it is, and writes down what each reaches and how long it takes.
 *
 * @param known results of an earlier run; a test file that has not changed since is not run again
 * @param isChosen whether the test is needed
 * @throws Error if a test fails
 */
export async function measureTests(
  known: readonly MeasuredTest[],
  isChosen: (test: TestFile) => boolean,
): Promise<MeasuredTest[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mutants-'))
  const output = join(folder, 'hits')
  const runner = createRunner({ [hitsVariable]: output })
  try {
    const listed = (await runner.list()).filter(({ file }) => /^(?:server|attacks)\//.test(file))
    const tests = listed.filter(isChosen)
    const hashes = new Map(listed.map(({ file }) => [file, hashOf(readFileSync(join(root, file), 'utf8'))]))
    const kept = known.filter(({ file, hash }) => hashes.get(file) === hash)
    // Results of tests that are not needed now stay for a later run.
    const fresh = tests.filter(({ file }) => !kept.some((test) => test.file === file))
    if (fresh.length === 0) return kept
    const reply = await runner.run({ mutant: null, tests: fresh }, 30 * 60_000)
    if (reply === undefined) throw new Error('the tests did not end')
    if (reply.failure !== undefined) throw new Error(`fails without any change: ${reply.failure}`)
    const hits = existsSync(output) ? hitsFrom(readFileSync(output, 'utf8')) : new Map<string, MeasuredTest['hits']>()
    const measured = fresh.map((test) => ({
      ...test,
      seconds: reply.seconds[test.file] ?? 0,
      hash: hashes.get(test.file) ?? '',
      hits: hits.get(test.file) ?? {},
    }))
    return [...kept, ...measured]
  } finally {
    runner.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param lines as hits-setup.ts writes them: one JSON object for each test file */
function hitsFrom(lines: string): Map<string, MeasuredTest['hits']> {
  const all = new Map<string, MeasuredTest['hits']>()
  for (const line of lines.trim().split('\n')) {
    if (line === '') continue
    const { test, hits } = JSON.parse(line) as { test: string; hits: string[] }
    const byFile = new Map<string, number[]>()
    for (const hit of hits) {
      const [file = '', offset] = hit.split(' ')
      byFile.set(file, [...(byFile.get(file) ?? []), Number(offset)])
    }
    all.set(relative(root, test), Object.fromEntries(byFile))
  }
  return all
}
