import { createHash } from 'node:crypto'
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const source = join(root, 'server/src/media/demo')
const drawnBy = readdirSync(source)
  .sort()
  .map((file) => readFileSync(join(source, file)))
const hash = drawnBy.reduce((sum, each) => sum.update(each), createHash('sha256')).digest('hex')
const cache = join(root, 'node_modules/.cache/gatehouse-demo', hash.slice(0, 16))

/** Gives a new service the demo scenes that another service has drawn: drawing costs seconds of processor time. */
export const lendDemo = (mediaDir: string): void => handOn(cache, join(mediaDir, 'demo'))

/** Keeps the demo scenes that a service has drawn for later services. */
export const keepDemo = (mediaDir: string): void => handOn(join(mediaDir, 'demo'), cache)

function handOn(from: string, to: string): void {
  try {
    const drawn = readdirSync(from).filter((file) => /^[a-z]+-\d+\.mp4$/.test(file))
    if (drawn.length > 0) mkdirSync(to, { recursive: true })
    for (const file of drawn) {
      try {
        linkSync(join(from, file), join(to, file))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') continue
        const draft = join(to, `.${file}-${process.pid}`)
        copyFileSync(join(from, file), draft)
        renameSync(draft, join(to, file))
      }
    }
  } catch {
    // Without a cache, the service draws them.
  }
}
