// Builds the container image as a folder in the OCI image layout, without a daemon and without running a program of
// another architecture. `--arch amd64` builds for one architecture only; `--out` names another folder than packages/image.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { architectures, isArchitecture, type Architecture } from './debian/architectures.ts'
import { sourceEpoch } from './debian/build-package.ts'
import { buildImages } from './image/build-image.ts'
import { writeLayout } from './image/oci-layout.ts'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { arch: { type: 'string', multiple: true }, out: { type: 'string', default: join(root, 'packages/image') } },
})
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-debian-'))
try {
  const epoch = sourceEpoch(root, process.env)
  const images = (values.arch ?? Object.keys(architectures)).map(known).flatMap((architecture) => {
    console.log(`Building for ${architecture}.`)
    return buildImages({ root, architecture, epoch, debian: join(scratch, architecture) })
  })
  rmSync(values.out, { recursive: true, force: true })
  writeLayout(values.out, images, epoch)
  for (const { tag, architecture, layers } of images) {
    const size = layers.reduce((sum, { bytes }) => sum + bytes.length, 0)
    console.log(`${values.out}:${tag} ${architecture}: ${(size / 1e6).toFixed(0)} MB`)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function known(name: string): Architecture {
  if (isArchitecture(name)) return name
  throw new Error(`--arch is ${Object.keys(architectures).join(' or ')}, not ${name}.`)
}
