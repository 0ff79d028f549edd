import { X509Certificate } from 'node:crypto'
import { setInterval } from 'node:timers'
import type { SecureContextOptions } from 'node:tls'
import type { Clock } from '../shared/clock.ts'
import { StartError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { readConfigured, type CertificateFiles } from './configured-certificate.ts'
import type { KeyPair } from './generate-certificate.ts'
import { ownCertificate } from './certificate-store.ts'
import type { CertificateNames } from './host-names.ts'

export interface TlsDeps {
  /** Where our own authority and certificate are kept: `tls` in the configuration directory. */
  readonly dir: string
  /** The configured certificate; null for our own. */
  readonly configured: CertificateFiles | null
  /** What our own certificate has to name; asked again at every look. */
  readonly site: () => CertificateNames
  readonly clock: Clock
  readonly log: Log
}

export type TlsSettings = Pick<SecureContextOptions, 'key' | 'cert' | 'minVersion' | 'maxVersion' | 'ciphers'>

/** The gate's certificate, kept fresh. */
export interface Tls {
  /** False where the certificate is a configured one. */
  readonly ownCertificate: boolean
  /** What the server speaks with from now on. */
  options(): TlsSettings
  /** Hears of every later certificate. @returns a function that ends the subscription. */
  onChange(apply: (settings: TlsSettings) => void): () => void
  /** Our own authority's certificate, PEM, for devices that are to trust it; undefined with a configured one. */
  caCertificate(): string | undefined
  /** Looks at files and clock now; it happens by itself too. */
  check(): Promise<void>
  stop(): void
}

/** Milliseconds between two looks: at the configured files, which are read again when they change (PORT-1). */
const lookAtFiles = 2_000
/** Milliseconds between two looks: at our own certificate's end, and at the machine's names and addresses. */
const lookAtOwn = 3_600_000

/** TLS 1.2 with forward secrecy and authenticated encryption only; those of TLS 1.3 are so anyway. */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

const settingsOf = ({ key, cert }: KeyPair): TlsSettings => ({
  key,
  cert,
  ciphers,
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.3',
})

/** @throws {StartError} where there is no certificate to start with. */
export async function openTls(deps: TlsDeps): Promise<Tls> {
  const source = deps.configured ? await fromFiles(deps, deps.configured) : await fromOurselves(deps)
  const { log } = deps
  const receivers = new Set<(settings: TlsSettings) => void>()
  let settings = settingsOf(source.pair())

  const checkNow = async (): Promise<void> => {
    const before = source.pair()
    await source.checkNow()
    if (source.pair() === before) return
    settings = settingsOf(source.pair())
    for (const apply of receivers) apply(settings)
  }
  let looking: Promise<void> = Promise.resolve()
  const check = () =>
    (looking = looking.then(checkNow).catch((error: unknown) => {
      log.error({ error: messageOf(error) }, 'A new certificate could not be put in force')
    }))
  const timer = setInterval(() => void check(), deps.configured ? lookAtFiles : lookAtOwn).unref()

  return {
    ownCertificate: deps.configured === null,
    options: () => settings,
    onChange(apply) {
      receivers.add(apply)
      return () => void receivers.delete(apply)
    },
    caCertificate: source.authority,
    check,
    stop: () => clearInterval(timer),
  }
}

/** Where certificates come from. `look` never throws: a server that has one goes on with it. */
interface Source {
  pair(): KeyPair
  readonly authority: () => string | undefined
  checkNow(): Promise<void>
}

async function fromOurselves({ dir, site, clock, log }: TlsDeps): Promise<Source> {
  let reported = ''
  const read = async () => {
    const own = await ownCertificate({ dir, site: site(), now: clock.now(), log })
    if (own.leftOut.join() !== reported) warnOfLeftOut(own.leftOut, dir, log)
    reported = own.leftOut.join()
    return own
  }
  let current = await read().catch((cause: unknown) => {
    if (cause instanceof StartError) throw cause
    throw new StartError(`The certificate in ${dir} cannot be made or read: ${messageOf(cause)}`, { cause })
  })
  return {
    pair: () => current.serverCertificate,
    authority: () => current.authority,
    async checkNow() {
      try {
        const next = await read()
        if (next.serverCertificate.cert !== current.serverCertificate.cert) current = next
      } catch (error) {
        log.error({ dir, error: messageOf(error) }, 'The certificate could not be renewed; the old one stays')
      }
    },
  }
}

function warnOfLeftOut(names: readonly string[], dir: string, log: Log): void {
  if (names.length === 0) return
  log.warn(
    { names },
    'The certificate does not name these names and addresses: the certificate authority was made for others. ' +
      `If browsers use them, configure a certificate (tls.cert_file), or delete ca.crt and ca.key in ${dir} and ` +
      'restart: then a new authority is made, which every device has to be told to trust.',
  )
}

async function fromFiles({ clock, log }: TlsDeps, files: CertificateFiles): Promise<Source> {
  const first = await readConfigured(files)
  if (first.problem !== undefined) throw new StartError(first.problem)
  let current = first.pair
  warnOfEnd(current, files, clock, log)
  let refused: { pair: KeyPair; reported: boolean } | undefined
  return {
    pair: () => current,
    authority: () => undefined,
    async checkNow() {
      const { pair, problem } = await readConfigured(files)
      if (samePair(pair, current)) {
        refused = undefined
      } else if (problem === undefined) {
        refused = undefined
        current = pair
        log.info({ ...files, validTo: new X509Certificate(pair.cert).validTo }, 'Took up a new certificate')
        warnOfEnd(current, files, clock, log)
      } else if (!refused || !samePair(pair, refused.pair)) {
        // Two files are not replaced at once: what does not fit together may fit at the next look.
        refused = { pair, reported: false }
      } else if (!refused.reported) {
        refused = { pair, reported: true }
        log.error({ problem }, 'The certificate was changed to one that cannot be used; the old one stays')
      }
    },
  }
}

const samePair = (one: KeyPair, other: KeyPair): boolean => one.key === other.key && one.cert === other.cert

function warnOfEnd({ cert }: KeyPair, { certFile }: CertificateFiles, clock: Clock, log: Log): void {
  const { validTo, validToDate } = new X509Certificate(cert)
  if (validToDate.getTime() < clock.now())
    log.warn({ certFile, validTo }, 'The certificate has ended; browsers refuse it')
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
