import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmOnShipped } from '../shipped/shipped-packages.ts'

interface Component {
  readonly name: string
  readonly version: string
  readonly licenses?: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[]
}

/**
 * Licenses of all that a package contains: Gatehouse's own, then those of the packages that the service uses or that are
 * bundled into the web UI, each text once.
 *
 * @param installed the folder of the packages that are installed with the service
 */
export function copyrightText(root: string, installed: string): string {
  const { components } = JSON.parse(npmOnShipped(root, ['sbom', '--sbom-format=cyclonedx'])) as {
    components: readonly Component[]
  }
  const own = readFileSync(join(root, 'LICENSE'), 'utf8')
  /** Packages, by the text of their license. */
  const byText = new Map<string, string[]>()
  const folders = [installed, join(root, 'node_modules')]
  for (const component of components) {
    const text = isPlatformPackage(component) ? platformLicense(installed, component) : licenseOf(component, folders)
    // Of the platforms' packages, only one is installed.
    if (text === undefined && isPlatformPackage(component)) continue
    const title = `${component.name} ${component.version} (${idOf(component)})`
    const key = text ?? `Its package has no file with the text of its license, ${idOf(component)}.`
    byText.set(key, [...(byText.get(key) ?? []), title])
  }
  const others = [...byText].map(
    ([text, titles]) => `${[...new Set(titles)].toSorted().join('\n')}\n\n${indented(text)}`,
  )
  const rule = `\n${'-'.repeat(72)}\n\n`
  return [`Gatehouse\n\n${indented(own)}`, ...others.toSorted()].join(rule)
}

const isPlatformPackage = ({ name }: Component): boolean => /^(?:node-linux-|@ffmpeg-binary\/)/.test(name)

/** Node.js contains many works; its package has a long list of their licenses. */
const platformLicense = (installed: string, { name }: Component): string | undefined =>
  existsSync(join(installed, name, 'LICENSE')) ? `See /usr/lib/gatehouse/node_modules/${name}/LICENSE.` : undefined

const licenseOf = ({ name }: Component, folders: readonly string[]): string | undefined =>
  folders.map((folder) => licenseIn(join(folder, name))).find((text) => text !== undefined)

const idOf = ({ licenses = [] }: Component): string =>
  licenses.map(({ license, expression }) => license?.id ?? expression ?? 'unknown').join(' or ')

function licenseIn(folder: string): string | undefined {
  const [file] = globSync('{LICEN[CS]E,License,license}*', { cwd: folder }).toSorted()
  if (file === undefined) return undefined
  const text = readFileSync(join(folder, file), 'utf8').trim()
  // Debian has the long ones, and its policy asks for the reference.
  return /^\s*Apache License\s+Version 2\.0/.test(text)
    ? 'Apache License, Version 2.0: see /usr/share/common-licenses/Apache-2.0.'
    : text
}

const indented = (text: string): string =>
  `${text
    .trim()
    .split(/\r?\n/)
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')}\n`
