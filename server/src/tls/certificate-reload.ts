import { X509Certificate } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'
import pLimit from 'p-limit'
import type { Clock } from '../shared/time/clock.ts'
import { StartError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { readConfigured, type CertificateFiles } from './configured-certificate.ts'
import type { KeyPair } from './x509.ts'
import { ownCertificate } from './certificate-store.ts'
import type { CertificateNames } from './host-names.ts'
import type { Runtime } from '../shared/runtime.ts'
import { messageOf } from '../shared/caught-error.ts'
import { startStatus } from '../shared/files/start-status.ts'
import { hour } from '../shared/time/durations.ts'

export interface TlsDeps extends Runtime {
  /** Folder of the service's own authority and certificate: `tls` in the configuration directory. */
  readonly dir: string
  /** The configured certificate; null to use the service's own. */
  readonly configured: CertificateFiles | null
  /** Names for the service's own certificate; called at every check. */
  readonly site: () => CertificateNames
}

export type TlsSettings = Pick<SecureContextOptions, 'key' | 'cert' | 'minVersion' | 'maxVersion' | 'ciphers'>

/** The gate's certificate, which is reloaded and renewed. */
export interface Tls {
  /** False if a certificate is configured. */
  readonly ownCertificate: boolean
  /** Current TLS settings of the server. */
  options(): TlsSettings
  /** Calls `apply` for every later certificate. @returns a function that ends the subscription. */
  onChange(apply: (settings: TlsSettings) => void): () => void
  /** Certificate of the service's own authority, PEM, for devices to trust; undefined if a certificate is configured. */
  caCertificate(): string | undefined
  /** Checks files and clock now, in addition to the regular checks. */
  check(): Promise<void>
  stop(): void
}

/** Milliseconds between two checks of the configured files, which are reloaded when they change (PORT-1). */
const fileInterval = 2_000
/** Milliseconds between two checks of the own certificate's expiry and of the machine's names and addresses. */
const ownInterval = hour

/** For TLS 1.2, only ciphers with forward secrecy and authenticated encryption; all ciphers of TLS 1.3 have both. */
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

/** @throws {StartError} if there is no usable certificate. */
export async function openTls(deps: TlsDeps): Promise<Tls> {
  const source = deps.configured ? await fromFiles(deps, deps.configured) : await fromStore(deps)
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
  const limit = pLimit(1)
  const check = () =>
    limit(checkNow).catch((error: unknown) => log.error({ err: error }, 'failed to apply certificate'))
  const stopChecks = deps.clock.every(deps.configured ? fileInterval : ownInterval, () => void check())

  return {
    ownCertificate: deps.configured === null,
    options: () => settings,
    onChange(apply) {
      receivers.add(apply)
      return () => void receivers.delete(apply)
    },
    caCertificate: source.authority,
    check,
    stop: stopChecks,
  }
}

/** A source of certificates. `checkNow` never throws: the server keeps its current certificate. */
interface Source {
  pair(): KeyPair
  readonly authority: () => string | undefined
  checkNow(): Promise<void>
}

async function fromStore({ dir, site, clock, log }: TlsDeps): Promise<Source> {
  let reported = ''
  const read = async () => {
    const own = await ownCertificate({ dir, site: site(), now: clock.now(), log })
    if (own.uncovered.join() !== reported) warnOfUncoveredNames(own.uncovered, dir, log)
    reported = own.uncovered.join()
    return own
  }
  let current = await read().catch((cause: unknown) => {
    if (cause instanceof StartError) throw cause
    const message = `Couldn't create or read the certificate in ${dir}: ${messageOf(cause)}`
    throw new StartError(message, { status: startStatus(cause), cause })
  })
  return {
    pair: () => current.serverCertificate,
    authority: () => current.authority,
    async checkNow() {
      try {
        const next = await read()
        if (next.serverCertificate.cert !== current.serverCertificate.cert) current = next
      } catch (error) {
        log.error({ folder: dir, err: error }, 'failed to renew certificate; keeping the old one')
      }
    },
  }
}

function warnOfUncoveredNames(names: readonly string[], dir: string, log: Log): void {
  if (names.length === 0) return
  log.warn(
    {
      names,
      folder: dir,
      hint: 'set tls.cert_file, or delete ca.crt and ca.key in this folder, restart, and trust the new authority on every device',
    },
    'certificate does not cover all names: the authority does not permit them',
  )
}

async function fromFiles({ clock, log }: TlsDeps, files: CertificateFiles): Promise<Source> {
  const first = await readConfigured(files)
  if (first.problem !== undefined) throw new StartError(first.problem)
  let current = first.pair
  warnIfExpired(current, files, clock, log)
  let rejected: { pair: KeyPair; reported: boolean } | undefined
  return {
    pair: () => current,
    authority: () => undefined,
    async checkNow() {
      const { pair, problem } = await readConfigured(files)
      if (samePair(pair, current)) {
        rejected = undefined
      } else if (problem === undefined) {
        rejected = undefined
        current = pair
        const { validTo } = new X509Certificate(pair.cert)
        log.info({ file: files.certFile, valid_to: validTo }, 'certificate reloaded')
        warnIfExpired(current, files, clock, log)
      } else if (!rejected || !samePair(pair, rejected.pair)) {
        // Two files can't be replaced atomically: a mismatch is reported only if it is still there at the next check.
        rejected = { pair, reported: false }
      } else if (!rejected.reported) {
        rejected = { pair, reported: true }
        log.error({ reason: problem }, 'new certificate unusable; keeping the old one')
      }
    },
  }
}

const samePair = (one: KeyPair, other: KeyPair): boolean => one.key === other.key && one.cert === other.cert

function warnIfExpired({ cert }: KeyPair, { certFile }: CertificateFiles, clock: Clock, log: Log): void {
  const { validTo, validToDate } = new X509Certificate(cert)
  if (validToDate.getTime() < clock.now())
    log.warn({ file: certFile, valid_to: validTo }, 'certificate expired; browsers reject it')
}
