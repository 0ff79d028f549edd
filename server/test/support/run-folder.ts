import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Before a run of the tests: all their temporary files are in one folder, so that one that is killed leaves none. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  // As the system's: PostgreSQL and proxies run as other users.
  chmodSync(folder, 0o1777)
  const former = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  // After an interrupt, too.
  process.once('exit', remove)
  return () => {
    // A watching run begins again in the same process.
    if (former === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = former
    remove()
    process.off('exit', remove)
  }
}
