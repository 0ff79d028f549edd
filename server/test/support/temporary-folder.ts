import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onAllStopped } from './cleanups.ts'

/** A new, empty folder. It's removed after the test, or by `stopAll` if a hook (beforeAll) or the file itself calls this. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  onAllStopped(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
