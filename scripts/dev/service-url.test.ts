import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/support/temporary-folder.ts'
import { serviceUrl } from './service-url.ts'

/** The URL with this `config.yml`. */
function urlWith(config: string): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'config.yml'), config)
  return serviceUrl({ CONFIG_DIR: folder }, '/nowhere')
}

test.each([
  ['', 'https://localhost:8971'],
  ['cameras: {}\n', 'https://localhost:8971'],
  ['networking: { gate: { port: 9443 } }\n', 'https://localhost:9443'],
  ['tls: { enabled: false }\nnetworking: { gate: { host: 192.0.2.7, port: 8080 } }\n', 'http://192.0.2.7:8080'],
  ["networking: { gate: { host: '::1' } }\n", 'https://[::1]:8971'],
])('the page in development finds the gate of the configuration %j', (config, url) => {
  expect(urlWith(config)).toBe(url)
})

test('without a configuration, the gate is at its default port', () => {
  expect(serviceUrl({}, '/nowhere')).toBe('https://localhost:8971')
})

test('the URL in GATEHOUSE goes before the configuration', () => {
  expect(serviceUrl({ GATEHOUSE: 'http://127.0.0.1:5000' }, '/nowhere')).toBe('http://127.0.0.1:5000')
})

test.each(['0', "'{PORT}'"])('a gate with the port %s needs GATEHOUSE, and the message says so', (port) => {
  expect(() => urlWith(`networking: { gate: { port: ${port} } }\n`)).toThrow(/GATEHOUSE/)
})
