// Runs in the worker before each test file of the first run: writes down which blocks the file reached.
import { writeFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { hitFunction, hitsVariable } from './hits-names.ts'

const output = process.env[hitsVariable]
if (output !== undefined) {
  const hits = new Set<string>()
  Object.assign(globalThis, { [hitFunction]: (file: string, offset: number) => hits.add(`${file} ${offset}`) })
  afterAll(() => {
    writeFileSync(output, JSON.stringify([...hits]))
  })
}
