import type { Runtime } from '../../shared/runtime.ts'
import type { KeyPair } from '../../tls/x509.ts'
import { isRenewalDue, issueInstanceCertificate, renewedBefore } from './instance-certificate.ts'

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

/** Milliseconds. A timer for the renewal would stop while the machine is suspended, and not notice that its clock is set. */
const checkInterval = 60_000

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
  let failing = false
  // The authority, too: all instances have to replace it at almost the same time.
  const isDue = (): boolean =>
    isRenewalDue(options, renewedBefore.certificate, clock.now()) ||
    isRenewalDue({ cert: options.ca }, renewedBefore.authority, clock.now())
  const renew = async (): Promise<void> => {
    try {
      options = await issue()
      for (const apply of receivers) apply(options)
      if (failing) log.info({}, 'certificate of this instance renewed')
      failing = false
    } catch (err) {
      if (!failing) log.warn({ err }, 'failed to renew certificate of this instance; retrying')
      failing = true
    }
  }
  const stopChecks = clock.every(checkInterval, () => void (isDue() && renew()))
  return {
    options: () => options,
    onChange: (apply) => void receivers.add(apply),
    stop: stopChecks,
  }
}
