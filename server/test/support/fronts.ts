import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createCertificateAuthority } from '../../src/tls/generate-certificate.ts'
import { onTestFinishedOrLater } from './cleanups.ts'
import { startNginx } from './nginx.ts'
import { apacheModules, program } from './programs.ts'
import type { Service } from './service.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Returns the code block in this language that contains this text, from the guide of a proxy, or another page. */
export function guideBlock(language: string, having: string, page = `proxy-${language}`): string {
  const text = readFileSync(resolve(import.meta.dirname, `../../../docs/guides/${page}.md`), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  const found = blocks.filter(([, name, block = '']) => name === language && block.includes(having))
  if (found.length !== 1) throw new Error(`${found.length} blocks of ${language} in ${page} have ${having}`)
  return found[0]![2]!
}

/** Puts this machine's names, ports and files into a block of the guide, each of which must occur in it. */
export function filledIn(block: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The guide has no ${from} in:\n${text}`)
    return text.replaceAll(from, to)
  }, block)
}

/** The certificate that the test proxies use: the service's own. */
export function frontFiles(service: Service) {
  const dir = temporaryFolder()
  chmodSync(dir, 0o755)
  const own = (name: string) => readFileSync(join(service.configDir, 'tls', name), 'utf8')
  const files = {
    crt: join(dir, 'front.crt'),
    key: join(dir, 'front.key'),
    pem: join(dir, 'front.pem'),
    ca: join(dir, 'ca.crt'),
  }
  writeFileSync(files.crt, own('server.crt'))
  writeFileSync(files.key, own('server.key'))
  writeFileSync(files.pem, own('server.crt') + own('server.key'))
  writeFileSync(files.ca, own('ca.crt'))
  return files
}

/** A file with another certificate authority than the service's. */
export async function anotherAuthority(): Promise<string> {
  const dir = temporaryFolder()
  const file = join(dir, 'ca.crt')
  const { cert } = await createCertificateAuthority({ names: ['localhost'], addresses: [] }, Date.now())
  writeFileSync(file, cert)
  chmodSync(dir, 0o755)
  return file
}

export type FrontName = 'nginx' | 'caddy' | 'haproxy' | 'apache'

export const fronts: Readonly<Record<FrontName, (text: string, onOutput?: (text: string) => void) => Promise<void>>> = {
  nginx: startNginx,
  caddy: (text) =>
    run('caddy', (dir) => ({
      name: 'Caddyfile',
      // Its own certificate authority, no port 80, and nothing outside its folder.
      text: `{\n admin off\n local_certs\n skip_install_trust\n auto_https disable_redirects\n storage file_system ${dir}\n}\n${text}`,
      args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
    })),
  haproxy: (text, onOutput) =>
    run('haproxy', () => ({ name: 'haproxy.cfg', text, args: (file) => ['-db', '-f', file] }), onOutput),
  apache: (text) =>
    run('apache', (dir) => {
      const modules = [
        'mpm_event',
        'authz_core',
        'headers',
        'proxy',
        'proxy_http',
        'ssl',
        'socache_shmcb',
        ...signInOfApache,
        ...(text.includes('AuthType openid-connect') ? ['auth_openidc'] : []),
        ...(text.includes('SetEnv ') ? ['env'] : []),
      ]
      const own = [
        `ServerRoot ${dir}`,
        'ServerName localhost',
        `PidFile ${dir}/pid`,
        `Mutex file:${dir} default`,
        `DefaultRuntimeDir ${dir}`,
        `ErrorLog ${dir}/error.log`,
        ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
        'StartServers 1\nServerLimit 1\nThreadsPerChild 25\nMaxRequestWorkers 25',
        ...modules.map((name) => `LoadModule ${name}_module ${apacheModules}/mod_${name}.so`),
      ]
      return {
        name: 'apache.conf',
        text: `${own.join('\n')}\n${text}`,
        args: (file) => ['-d', dir, '-f', file, '-DFOREGROUND'],
      }
    }),
}

const signInOfApache = ['authn_core', 'auth_basic', 'authn_file', 'authz_user']

interface Setting {
  readonly name: string
  readonly text: string
  readonly args: (file: string) => readonly string[]
}

async function run(
  name: Exclude<FrontName, 'nginx'>,
  setting: (dir: string) => Setting,
  onOutput?: (text: string) => void,
): Promise<void> {
  const dir = temporaryFolder()
  chmodSync(dir, 0o777)
  const { name: fileName, text, args } = setting(dir)
  const file = join(dir, fileName)
  writeFileSync(file, text)
  const child = spawn(program(name)!, args(file), {
    stdio: ['ignore', 'ignore', 'pipe'],
    // In a separate process group, which is killed with it: Apache's workers wait ten seconds for open connections.
    detached: true,
    env: { PATH: process.env['PATH'], HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    onOutput?.(chunk.toString())
  })
  child.once('exit', (code) => {
    if (code) console.error(`${name} ended with ${code}:\n${output.slice(-2000)}`)
  })
  onTestFinishedOrLater(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid!, 'SIGKILL')
      await once(child, 'exit')
    }
  })
}
