import type { Runtime } from '../../shared/runtime.ts'
import type { KeyPair } from '../../tls/x509.ts'
import { issueInstanceCertificate } from './instance-certificate.ts'

/** What both ends of a connection between instances need. */
export interface InnerTls extends KeyPair {
  /** Certificate of the authority, PEM. */
  readonly ca: string
  readonly minVersion: 'TLSv1.3'
}

/** The certificate of this instance, which exists only in memory, and is renewed while the instance runs. */
export interface OwnCertificate {
  options(): InnerTls
  /** Calls `apply` with every later certificate. */
  onChange(apply: (options: InnerTls) => void): void
  stop(): void
}

export interface OwnCertificateDeps extends Runtime {
  readonly instance: string
  /** The authority, as it is now. */
  readonly authority: () => Promise<KeyPair>
}

/** Milliseconds between two certificates: a third of their lifetime. */
const renewal = 8 * 3_600_000
/** Milliseconds after a failure, for example because the database is unavailable. */
const retry = 60_000

/** @throws ServiceError `unavailable` if the database is unavailable */
export async function openOwnCertificate(deps: OwnCertificateDeps): Promise<OwnCertificate> {
  const { instance, authority, clock, log } = deps
  const receivers = new Set<(options: InnerTls) => void>()
  const issue = async (): Promise<InnerTls> => {
    const above = await authority()
    const { key, cert } = await issueInstanceCertificate(above, instance, clock.now())
    return { key, cert, ca: above.cert, minVersion: 'TLSv1.3' }
  }
  let options = await issue()
  let stopTimer = clock.after(renewal, () => void renew())
  let stopped = false
  async function renew(): Promise<void> {
    try {
      options = await issue()
      for (const apply of receivers) apply(options)
      schedule(renewal)
    } catch (err) {
      log.warn({ err }, 'failed to renew certificate of this instance; retrying')
      schedule(retry)
    }
  }
  const schedule = (milliseconds: number): void => {
    if (!stopped) stopTimer = clock.after(milliseconds, () => void renew())
  }
  return {
    options: () => options,
    onChange: (apply) => void receivers.add(apply),
    stop() {
      stopped = true
      stopTimer()
    },
  }
}
