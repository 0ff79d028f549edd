// Runs in the worker before each test file of the first run: writes down which blocks the file reached.
import { appendFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'
import { hitFunction, hitsVariable } from './hits-names.ts'

const output = process.env[hitsVariable]
if (output !== undefined) {
  const hits = new Set<string>()
  Object.assign(globalThis, { [hitFunction]: (file: string, offset: number) => hits.add(`${file} ${offset}`) })
  afterAll(() => {
    appendFileSync(output, `${JSON.stringify({ test: expect.getState().testPath, hits: [...hits] })}\n`)
  })
}
