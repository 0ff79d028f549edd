import type { Config } from './config.ts'

/** The URL to open in a browser on the same machine. */
export function addressToOpen({ tls, networking, http }: Pick<Config, 'tls' | 'networking' | 'http'>): string {
  const { port } = networking.gate
  const usual = tls.enabled ? 443 : 80
  return `${tls.enabled ? 'https' : 'http'}://localhost${port === usual ? '' : `:${port}`}${http.base_path}`
}
