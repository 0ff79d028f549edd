import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The configuration of the add-on's first start, YAML.
 *
 * @param options of the add-on: `first_admin` is the id of a user who becomes an admin
 */
export function firstConfig({ first_admin: admin }: { readonly first_admin?: unknown }): string {
  const text = readFileSync(join(import.meta.dirname, 'first-config.yml'), 'utf8')
  if (typeof admin !== 'string' || !/^[0-9a-f]{32}$/.test(admin)) return text
  return text.replace(/^ {4}#role_map:\n {4}# +admin: .*\n/m, `    role_map:\n      admin: [${admin}]\n`)
}
