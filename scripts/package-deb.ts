// Builds Debian packages from the sources and the lockfile: `npm run package:deb`, or `-- --arch amd64` for one of them.
// They are reproducible: SOURCE_DATE_EPOCH, or the time of the commit, is the time of all files.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { architectures, isArchitecture } from './debian/architectures.ts'
import { buildPackage, debianVersion, sourceEpoch } from './debian/build-package.ts'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { arch: { type: 'string', multiple: true, default: Object.keys(architectures) } },
})
const unknown = values.arch.filter((name) => !isArchitecture(name))
if (unknown.length > 0) {
  console.error(`Unknown architecture: ${unknown.join(', ')}. There are ${Object.keys(architectures).join(' and ')}.`)
  process.exit(64)
}
const folder = resolve(root, 'packages')
const epoch = sourceEpoch(root, process.env)
for (const architecture of values.arch.filter(isArchitecture)) {
  const file = buildPackage({ root, architecture, version: debianVersion(root), folder, epoch })
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex')
  console.log(`${sum}  ${relative(root, file)}`)
}
