import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Architecture } from '../debian/architectures.ts'

/** A layer of an image, compressed. */
export interface Layer {
  readonly bytes: Uint8Array
  /** SHA-256 of the layer before it was compressed. */
  readonly diffId: string
}

/** What runs, as a user and with an environment: the field `config` of an image. */
export interface RunSettings {
  readonly [key: string]: unknown
}

export interface Image {
  readonly tag: string
  readonly architecture: Architecture
  readonly layers: readonly Layer[]
  readonly config: RunSettings
}

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const

/**
 * A layer of files of a folder, which belong to root, in an order and with a time that don't depend on the build.
 *
 * @param epoch Unix seconds
 * @param level how much it is compressed, 1 to 9
 * @param owned folders that belong to another user, with its number
 */
export function layerOf(
  folder: string,
  epoch: number,
  level: number,
  owned: { readonly user: number; readonly folders: readonly string[] } = { user: 0, folders: [] },
): Layer {
  const common = [
    `--directory=${folder}`,
    '--sort=name',
    `--mtime=@${epoch}`,
    '--numeric-owner',
    '--format=gnu',
    '--create',
  ]
  const rest = tar([...common, '--owner=0', '--group=0', ...owned.folders.map((name) => `--exclude=./${name}`), '.'])
  const own = owned.folders.map((name) =>
    tar([...common, `--owner=${owned.user}`, `--group=${owned.user}`, `./${name}`]),
  )
  // An archive ends with at least two empty blocks, which would end the whole.
  const joined = Buffer.concat([...own.map(withoutEnd), rest])
  return { bytes: gzipSync(joined, { level }), diffId: digestOf(joined) }
}

function tar(args: readonly string[]): Buffer {
  const { status, stdout, stderr, error } = spawnSync('tar', args, { maxBuffer: 2 ** 30 })
  if (error) throw error
  if (status !== 0) throw new Error(`tar failed: ${stderr.toString()}`)
  return stdout
}

function withoutEnd(archive: Buffer): Buffer {
  let end = archive.length
  while (end >= 512 && archive.subarray(end - 512, end).every((byte) => byte === 0)) end -= 512
  return archive.subarray(0, end)
}

/**
 * Writes images as a folder in the OCI image layout, which skopeo, podman, buildah and containerd read. Images with the
 * same tag are one image for several architectures.
 *
 * @param epoch Unix seconds
 */
export function writeLayout(folder: string, images: readonly Image[], epoch: number): void {
  mkdirSync(join(folder, 'blobs/sha256'), { recursive: true })
  const write = (mediaType: string, content: Uint8Array): Descriptor => {
    const digest = digestOf(content)
    writeFileSync(join(folder, 'blobs', digest.replace(':', '/')), content)
    return { mediaType, digest, size: content.length }
  }
  const json = (mediaType: string, value: object) => write(mediaType, Buffer.from(JSON.stringify(value)))
  const manifestOf = ({ architecture, layers, config }: Image) => {
    const created = new Date(epoch * 1000).toISOString()
    const rootfs = { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) }
    const manifest = {
      schemaVersion: 2,
      mediaType: types.manifest,
      config: json(types.config, { architecture, os: 'linux', created, config, rootfs }),
      layers: layers.map(({ bytes }) => write(types.layer, bytes)),
    }
    return { ...json(types.manifest, manifest), platform: { architecture, os: 'linux' } }
  }
  const manifests = [...Map.groupBy(images, ({ tag }) => tag)].map(([tag, of]) => ({
    ...json(types.index, { schemaVersion: 2, mediaType: types.index, manifests: of.map(manifestOf) }),
    annotations: { 'org.opencontainers.image.ref.name': tag },
  }))
  writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, mediaType: types.index, manifests }))
}

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
