import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe } from 'vitest'
import { onTestFinishedOrLater } from './cleanups.ts'
import { freePort } from './free-port.ts'
import { filledIn, frontFiles, fronts, guideBlock, type FrontName } from './fronts.ts'
import { reachable } from './nginx.ts'
import { program } from './programs.ts'
import type { Service } from './service.ts'
import { client, type TestClient } from './test-client.ts'

export const frontNames: readonly FrontName[] = ['nginx', 'caddy', 'haproxy', 'apache']

/** The proxies that this machine has. */
export const frontsHere = Object.fromEntries(frontNames.map((name) => [name, program(name)])) as Record<
  FrontName,
  string | undefined
>

/** Declares the same tests for each of these proxies; they are skipped if this machine doesn't have it. */
export function describeFronts<Name extends FrontName>(
  names: readonly Name[],
  title: string,
  declare: (name: Name, at: number) => void,
): void {
  for (const [at, name] of names.entries())
    describe.skipIf(!frontsHere[name])(title.replace('%s', name), () => declare(name, at))
}

export interface FrontOptions {
  /** One HTTP/1.1 connection to the gate, shared by all requests. */
  readonly onePooled?: boolean
  /** Serves only the path of the guide, instead of the whole host. */
  readonly belowPath?: boolean
  /** Asks for the users' passwords, and sends who they are with this secret. */
  readonly signIn?: ProxySignIn
  /** The port that the proxy listens on; by default, any. */
  readonly port?: number
  /** The port of another program in place of the gate. */
  readonly gate?: number
  /** Reaches a gate without TLS, without the lines about its certificate. */
  readonly plainGate?: boolean
  /** A file with the authority of the gate's certificate; by default, the service's own. */
  readonly ca?: string
  /** The name that the gate's certificate must have; by default, one that it has. */
  readonly gateName?: string
  /** Gets what the proxy writes to its standard error. */
  readonly onOutput?: (text: string) => void
  /** Adds the lines of another page to the block. */
  readonly edit?: (block: string) => string
}

export interface ProxySignIn {
  /** A file of users for nginx and Apache. */
  readonly usersFile: string
  readonly secret: string
  /** Hashes of the users' passwords, for Caddy and HAProxy. */
  readonly hashes: Readonly<Record<'caddy' | 'haproxy', readonly [ann: string, ben: string, kim: string]>>
}

/** Starts a proxy with its blocks of the guide, with this machine's names, ports and files filled in. */
export async function startFront(
  name: FrontName,
  service: Service,
  {
    onePooled = false,
    belowPath = false,
    plainGate = false,
    signIn,
    edit = (block) => block,
    ...options
  }: FrontOptions = {},
): Promise<TestClient> {
  const port = options.port ?? (await freePort())
  const first = edit(firstBlock[name](belowPath))
  const block = signIn ? withSignIn[name](first, signIn) : first
  const { ca: own, ...files } = frontFiles(service)
  const { gate = service.gatePort, gateName = 'localhost', ca = own } = options
  const certificate = plainGate ? {} : gateCertificates[name].places(ca, gateName)
  const places = { port, onePooled, gate, certificate, ...files }
  await fronts[name](placed[name](plainGate ? plain(name, block) : block, places), options.onOutput)
  const site = client(port, 'https', {})
  await reachable(site)
  return site
}

/** The block of a proxy with TLS, for the whole host or only a path. */
const firstBlock: Readonly<Record<FrontName, (belowPath: boolean) => string>> = {
  nginx: (belowPath) =>
    filledIn(guideBlock('nginx', 'listen 443'), {
      ...(belowPath && { 'location / {': guideBlock('nginx', 'location /cams/') }),
    }),
  caddy: (belowPath) =>
    filledIn(guideBlock('caddy', 'cam.example {'), {
      ...(belowPath && { 'reverse_proxy https://gatehouse:8971 {': guideBlock('caddy', '@gatehouse') }),
    }),
  haproxy: (belowPath) =>
    filledIn(guideBlock('haproxy', 'frontend cam'), {
      ...(belowPath && { '  default_backend gatehouse': guideBlock('haproxy', '/cams/') }),
    }),
  apache: (belowPath) => {
    const block = guideBlock('apache', 'VirtualHost')
    return belowPath ? block.replace(/^ *ProxyPass .*\n/m, guideBlock('apache', 'ProxyPass /cams')) : block
  },
}

/** Adds the lines that sign users in, where the guide says. */
const withSignIn: Readonly<Record<FrontName, (block: string, signIn: ProxySignIn) => string>> = {
  nginx: (block, { usersFile, secret }) =>
    guideBlock('nginx', 'map $remote_user') +
    filledIn(block, {
      'proxy_read_timeout 1h;': `proxy_read_timeout 1h;\n${filledIn(guideBlock('nginx', 'auth_basic'), {
        '/etc/nginx/users': usersFile,
        'the proxy secret': secret,
      })}`,
    }),
  caddy: (block, { hashes, secret }) =>
    filledIn(block, {
      'cam.example {': `cam.example {\n${filledIn(guideBlock('caddy', 'basicauth'), {
        'HASH-OF-ANN': hashes.caddy[0],
        // A user without groups, who isn't in the guide.
        'HASH-OF-BEN': `${hashes.caddy[1]}\n  kim ${hashes.caddy[2]}`,
      })}`,
      'transport http {': `${filledIn(guideBlock('caddy', 'header_up Remote-Groups'), { 'the proxy secret': secret })}transport http {`,
    }),
  haproxy: (block, { hashes, secret }) =>
    filledIn(block, {
      'frontend cam': `${filledIn(guideBlock('haproxy', 'userlist'), {
        'HASH-OF-ANN': hashes.haproxy[0],
        'HASH-OF-BEN': `${hashes.haproxy[1]}\n  user kim password ${hashes.haproxy[2]}`,
      })}\nfrontend cam`,
      [backendLine(block)]:
        `${filledIn(guideBlock('haproxy', 'http_auth_user'), { 'the proxy secret': secret })}${backendLine(block)}`,
    }),
  apache: (block, { usersFile, secret }) =>
    filledIn(block, {
      '</VirtualHost>': `${filledIn(guideBlock('apache', 'AuthType Basic'), {
        '/etc/apache2/gatehouse-users': usersFile,
        'the proxy secret': secret,
      })}</VirtualHost>`,
    }),
}

const backendLine = (block: string): string => /^ {2}(?:default|use)_backend/m.exec(block)![0]

interface Places {
  readonly port: number
  readonly gate: number
  readonly onePooled: boolean
  readonly crt: string
  readonly key: string
  readonly pem: string
  /** Of the gate's certificate. */
  readonly certificate: Readonly<Record<string, string>>
}

const placed: Readonly<Record<FrontName, (block: string, places: Places) => string>> = {
  nginx: (block, { port, gate, onePooled, crt, key, certificate }) =>
    filledIn(block, {
      'listen 443': `listen 127.0.0.1:${port}`,
      '/etc/ssl/cam.example.crt': crt,
      '/etc/ssl/cam.example.key': key,
      'gatehouse:8971': onePooled ? 'gate' : `127.0.0.1:${gate}`,
      ...certificate,
      ...(onePooled && { 'server {': `upstream gate { server 127.0.0.1:${gate}; keepalive 1; }\nserver {` }),
    }),
  caddy: (block, { port, gate, onePooled, certificate }) =>
    filledIn(block, {
      'cam.example': `https://127.0.0.1:${port}`,
      'gatehouse:8971': `127.0.0.1:${gate}`,
      ...certificate,
      ...(onePooled && { 'transport http {': 'transport http {\nversions 1.1\nmax_conns_per_host 1' }),
    }),
  haproxy: (block, { port, gate, onePooled, pem, certificate }) =>
    filledIn(block, {
      'bind :443': `bind 127.0.0.1:${port}`,
      '/etc/haproxy/cam.example.pem': pem,
      'gatehouse:8971': `127.0.0.1:${gate}`,
      ...certificate,
      ...(onePooled && { 'backend gatehouse\n  server': 'backend gatehouse\n  http-reuse always\n  server' }),
      ...(onePooled && { 'ssl verify': 'maxconn 1 ssl verify' }),
    }),
  apache: (block, { port, gate, onePooled, crt, key, certificate }) =>
    `Listen 127.0.0.1:${port}\n${filledIn(block, {
      '*:443': `127.0.0.1:${port}`,
      '/etc/ssl/cam.example.crt': crt,
      '/etc/ssl/cam.example.key': key,
      'gatehouse:8971': `localhost:${gate}`,
      ...certificate,
      ...(onePooled && { 'upgrade=websocket': 'upgrade=websocket max=1' }),
    })}`,
}

interface GateCertificate {
  /** The lines about it, which the guides omit for a gate without TLS. */
  readonly lines: RegExp
  readonly places: (ca: string, name: string) => Readonly<Record<string, string>>
}

const gateCertificates: Readonly<Record<FrontName, GateCertificate>> = {
  nginx: {
    lines: /^ *proxy_ssl_.*\n/gm,
    places: (ca, name) => ({
      '/etc/nginx/gatehouse-ca.crt': ca,
      'proxy_ssl_name gatehouse': `proxy_ssl_name ${name}`,
    }),
  },
  caddy: {
    lines: /^ *tls_.*\n/gm,
    places: (ca, name) => ({
      '/etc/caddy/gatehouse-ca.crt': ca,
      'tls_server_name gatehouse': `tls_server_name ${name}`,
    }),
  },
  haproxy: {
    lines: / ssl verify required .*/g,
    places: (ca, name) => ({
      '/etc/haproxy/gatehouse-ca.crt': ca,
      'verifyhost gatehouse sni str(gatehouse)': `verifyhost ${name} sni str(${name})`,
    }),
  },
  apache: { lines: /^ *SSLProxy.*\n/gm, places: (ca) => ({ '/etc/apache2/gatehouse-ca.crt': ca }) },
}

const plain = (name: FrontName, block: string): string =>
  block.replaceAll(gateCertificates[name].lines, '').replaceAll('https://gatehouse', 'http://gatehouse')

export interface GuardOptions extends Pick<FrontOptions, 'gate' | 'ca' | 'gateName'> {
  /** The port of the program that is protected. */
  readonly other: number
  /** Also passes on WebSockets. */
  readonly upgrades?: boolean
}

/** Starts a proxy with the block that protects another program, which asks `/api/auth` first. */
export async function startGuard(
  name: 'nginx' | 'caddy',
  service: Service,
  { other, upgrades = false, gate = service.gatePort, gateName = 'localhost', ca }: GuardOptions,
): Promise<TestClient> {
  const port = await freePort()
  const { crt, key, ca: own } = frontFiles(service)
  const block =
    name === 'nginx'
      ? filledIn(guideBlock('nginx', 'location = /gatehouse-auth'), {
          'listen 8443': `listen 127.0.0.1:${port}`,
          '/etc/ssl/cam.example.crt': crt,
          '/etc/ssl/cam.example.key': key,
          'https://gatehouse:8971': `https://127.0.0.1:${gate}`,
          'proxy_ssl_name gatehouse': `proxy_ssl_name ${gateName}`,
          '/etc/nginx/gatehouse-ca.crt': ca ?? own,
          'http://other:3000': `http://127.0.0.1:${other}`,
          ...(upgrades && {
            'auth_request /': `${guideBlock('nginx', '1.1;\nproxy_set_header Upgrade')}auth_request /`,
          }),
          'auth_request_set $user': 'proxy_set_header Host localhost;\n auth_request_set $user',
        })
      : filledIn(guideBlock('caddy', 'forward_auth https://gatehouse'), {
          // For any host that a client names.
          'cam.example:8443 {': `https://:${port} {\ntls ${crt} ${key}`,
          'https://gatehouse:8971': `https://127.0.0.1:${gate}`,
          'tls_server_name gatehouse': `tls_server_name ${gateName}`,
          '/etc/caddy/gatehouse-ca.crt': ca ?? own,
          'reverse_proxy http://other:3000 {': `reverse_proxy http://127.0.0.1:${other} {\nheader_up Host localhost`,
        })
  await fronts[name](block)
  const site = client(port, 'https', {})
  await reachable(site)
  return site
}

/** A program in place of the gate, with the service's certificate. @returns its port */
export async function inPlaceOfGate({ configDir }: Service, respond: RequestListener): Promise<number> {
  const own = (name: string) => readFileSync(join(configDir, 'tls', name))
  const server = createServer({ cert: own('server.crt'), key: own('server.key') }, respond).listen(0, '127.0.0.1')
  onTestFinishedOrLater(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** The first bytes of a response body that is still being sent. */
export async function firstBytes(at: TestClient, path: string): Promise<string> {
  const requested = request({
    host: '127.0.0.1',
    port: at.port,
    path,
    headers: at.headers,
    rejectUnauthorized: false,
  }).end()
  const [response] = (await once(requested, 'response')) as [NodeJS.ReadableStream]
  const [chunk] = (await once(response, 'data')) as [Buffer]
  requested.destroy()
  return chunk.toString()
}
