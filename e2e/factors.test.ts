import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { program } from '../server/test/support/programs.ts'
import { addPasskey, addTotp, codeOf, nextCode, pass, type TotpApp } from '../server/test/support/second-factor.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'
import { newPage, ownPage } from './tabs.ts'

const executablePath = program('chromium')

let service: InProcessService
let ann: TestClient
let page: Page
/** Browsers have passkeys at this name over plain HTTP. */
let base: string

/** The browser's authenticator, which answers each request with the fingerprint of its user. */
async function addAuthenticator(): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  onTestFinished(() => session.detach())
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return session
}

/** Adds a passkey for the user of the page, who has to be confirmed. */
const addPasskeyOn = (): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const post = (path, body) => fetch(path, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body),
    })
    const options = await (await post('api/account/passkeys/options')).json()
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const credential = await navigator.credentials.create({ publicKey })
    return (await post('api/account/passkeys', { name: 'Laptop', credential: credential.toJSON() })).status
  })()`)

const button = (name: string) => page.getByRole('button', { name, exact: true })
const signedIn = (user = 'ann') => page.getByRole('button', { name: `Account: ${user}` }).waitFor()

const codes = () => page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')

async function typePassword(path = '/'): Promise<void> {
  await page.goto(`${base}${path}`)
  await page.getByLabel('Username').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button('Sign in').click()
}

async function typeCode(code: string, submit = 'Continue'): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code)
  await button(submit).click()
}

/** The settings say that ann has no second factor. */
async function expectFactorMissing(service: InProcessService): Promise<void> {
  const users = await newPage()
  await users.goto(`${service.internal.base}/settings/users`)
  await users.getByRole('row', { name: 'ann' }).getByText('Second factor not set up').waitFor()
  await users.getByRole('link', { name: 'ann' }).click()
  await users.getByText('ann can sign in, but has to set up a second factor first.').waitFor()
  await users.goto(`${service.internal.base}/settings/access`)
  await users.getByText('Second factor not set up').first().waitFor()
}

describe.skipIf(!executablePath)('second factors in the browser', () => {
  afterAll(stopAll)
  beforeEach(async () => {
    service = await startService({ config: { tls: { enabled: false } } })
    ann = await service.user('ann', 'admin')
    base = service.gate.base.replace('127.0.0.1', 'localhost')
    page = await newPage()
  })

  describe('an authenticator app', () => {
    let app: TotpApp
    beforeEach(async () => {
      app = await addTotp(service, ann)
    })

    test('[MFA-1] [MFA-3] is asked for after the password; a wrong code can be corrected', async () => {
      await typePassword('/account')
      const code = page.getByLabel('Code', { exact: true })
      expect(await code.getAttribute('autocomplete')).toBe('one-time-code')
      await typeCode('000000')
      await page.getByRole('alert').getByText('Wrong code or passkey').waitFor()
      await typeCode(app.code())
      await signedIn()
      expect(page.url()).toBe(`${base}/account`)
    })

    test('[MFA-1] a recovery code signs in, once', async () => {
      for (const isFirst of [true, false]) {
        await typePassword()
        await button('Use a recovery code').click()
        await page.getByLabel('Recovery code').fill(app.recoveryCodes[0] ?? '')
        await button('Continue').click()
        if (isFirst) {
          await signedIn()
          await page.context().clearCookies()
        } else {
          await page.getByRole('alert').waitFor()
        }
      }
    })

    test('[MFA-5] a remembered device is not asked', async () => {
      await typePassword()
      await page.getByLabel('Remember this device for 30 days').check()
      await typeCode(app.code())
      await signedIn()
      await page.context().clearCookies({ name: 'gatehouse_token' })
      await typePassword()
      await signedIn()
    })

    test('[MFA-3] a sign-in that took too long begins again', async () => {
      await typePassword()
      await page.getByLabel('Code', { exact: true }).waitFor()
      pass(service, 5 * 60_000)
      await typeCode(app.code())
      await page.getByRole('alert').getByText('This sign-in expired').waitFor()
      await button('Sign in').waitFor()
    })

    test('[MFA-4] a change asks for a code, and is made once it is right; without one it is not', async () => {
      await typePassword('/settings/users')
      await typeCode(app.code())
      await signedIn()
      pass(service, 5 * 60_000)
      const add = async () => {
        await button('Add user').first().click()
        await page.getByRole('dialog').getByLabel('Name').fill('new')
        await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(password)
        await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click()
        await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
      }
      await add()
      await page.getByRole('dialog', { name: 'Confirm it’s you' }).getByRole('button', { name: 'Close' }).click()
      await page.getByText('Confirm that it’s you to continue.').waitFor()
      expect((await service.internal.get('/api/users')).text).not.toContain('"new"')
      await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click()
      nextCode(service)
      await typeCode(app.code(), 'Confirm')
      await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor({ state: 'detached' })
      await expect.poll(async () => (await service.internal.get('/api/users')).text).toContain('"new"')
    })
  })

  test('[MFA-1] a passkey signs in alone, is a second factor, and confirms', async () => {
    await addAuthenticator()
    await typePassword()
    await signedIn()
    expect(await button('Sign in with a passkey').count()).toBe(0)
    expect(await addPasskeyOn()).toBe(201)

    await page.context().clearCookies()
    await page.goto(`${base}/login`)
    await button('Sign in with a passkey').click()
    await signedIn()

    await page.context().clearCookies()
    await typePassword()
    await button('Use a passkey').click()
    await signedIn()

    pass(service, 5 * 60_000)
    await page.goto(`${base}/settings/users`)
    await button('Add user').first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('new')
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click()
    await button('Use a passkey').click()
    await expect.poll(async () => (await service.internal.get('/api/users')).text).toContain('"new"')
  })

  test('[MFA-1] Account > Security sets up an app and a passkey, shows the recovery codes, and removes both', async () => {
    await addAuthenticator()
    await typePassword('/account/security')
    await button('Set up app').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    const secret = await dialog.getByText(/^[A-Z2-7]{32,}$/).innerText()
    await dialog.getByLabel('Code from the app').fill('12')
    await button('Confirm').click()
    await dialog.getByText('Wrong code. Enter the code the app shows now.').waitFor()
    await dialog.getByLabel('Code from the app').fill(codeOf(secret, service.clock.now()))
    await button('Confirm').click()
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
    expect(await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').count()).toBe(10)
    await button('I’ve saved them').click()
    await page.getByText('10 codes left.').waitFor()

    await button('Add passkey').click()
    await page.getByLabel('Name', { exact: true }).fill('Laptop')
    await button('Create passkey').click()
    await button('Rename Laptop').click()
    await page.getByLabel('Name', { exact: true }).fill('Phone')
    await button('Save').click()
    await button('Remove Phone').click()
    await button('Remove passkey').click()
    await page.getByText('No passkeys.').waitFor()
    await button('Remove app').click()
    await dialog.getByRole('button', { name: 'Remove app' }).click()
    await page.getByText('Not set up.').waitFor()
  })

  describe('[MFA-5] [MFA-1] Account > Security', () => {
    let app: TotpApp
    beforeEach(async () => {
      app = await addTotp(service, ann)
    })

    test('creates new recovery codes, which replace the earlier ones', async () => {
      await typePassword('/account/security')
      await typeCode(app.code())
      await button('Create new codes').click()
      await page.getByRole('dialog').getByText('Your current codes stop working.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Create new codes' }).click()
      await codes().first().waitFor()
      const [fresh] = await codes().allInnerTexts()
      expect(await codes().count()).toBe(10)
      await button('I’ve saved them').click()
      await page.getByText('10 codes left.').waitFor()

      for (const [code, isRight] of [
        [app.recoveryCodes[0], false],
        [fresh, true],
      ] as const) {
        await page.context().clearCookies()
        await typePassword()
        await button('Use a recovery code').click()
        await page.getByLabel('Recovery code').fill(code ?? '')
        await button('Continue').click()
        if (isRight) await signedIn()
        else await page.getByRole('alert').getByText('Wrong code or passkey').waitFor()
      }
    })

    test('asks for a confirmation before new recovery codes, once the last one is old', async () => {
      await typePassword('/account/security')
      await typeCode(app.code())
      await button('Create new codes').waitFor()
      pass(service, 5 * 60_000)
      await button('Create new codes').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create new codes' }).click()
      await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
      expect(await codes().count()).toBe(0)
      nextCode(service)
      await typeCode(app.code(), 'Confirm')
      await codes().first().waitFor()
    })

    test('forgets a remembered device, which is asked again', async () => {
      await typePassword('/account/security')
      await page.getByLabel('Remember this device for 30 days').check()
      await typeCode(app.code())
      await page.getByRole('button', { name: /^Forget .+, used / }).click()
      await page.getByText('Device forgotten.').waitFor()
      await page.getByText('No remembered devices.').waitFor()
      await page.context().clearCookies({ name: 'gatehouse_token' })
      await typePassword()
      await page.getByLabel('Code', { exact: true }).waitFor()
    })

    test('and every other page say that an admin removed the factors, until the user has seen it', async () => {
      const boss = await service.user('boss', 'admin')
      expect((await boss.delete('/api/users/ann/factors')).status).toBeLessThan(300)
      await typePassword()
      const notice = page.getByRole('alert').filter({ hasText: 'Your second factors were reset' })
      await notice.getByText(/^boss removed your authenticator app/).waitFor()
      await notice.getByRole('link', { name: 'Set up a second factor' }).click()
      await page.getByText('Not set up.').waitFor()
      await notice.getByRole('button', { name: 'OK' }).click()
      await notice.waitFor({ state: 'detached' })
      await page.reload()
      await page.getByText('Not set up.').waitFor()
      expect(await notice.count()).toBe(0)
    })

    test('renames a passkey, and removes it after a question: it signs in no more', async () => {
      // The login page offers passkeys as long as a user has one.
      await addPasskey(await service.user('bob'))
      await addAuthenticator()
      await typePassword('/account/security')
      await typeCode(app.code())
      await button('Add passkey').waitFor()
      expect(await addPasskeyOn()).toBe(201)
      await page.reload()
      await button('Rename Laptop').click()
      const name = page.getByLabel('Name', { exact: true })
      await name.fill(' ')
      await button('Save').click()
      await page.getByText('Enter a name.').waitFor()
      await name.fill('Phone')
      await button('Save').click()
      await button('Remove Phone').waitFor()
      await button('Remove Phone').click()
      await page
        .getByRole('dialog', { name: 'Remove the passkey “Phone”?' })
        .getByRole('button', { name: 'Cancel' })
        .click()
      await button('Remove Phone').click()
      await button('Remove passkey').click()
      await page.getByText('No passkeys.').waitFor()
      await page.context().clearCookies()
      await page.goto(`${base}/login`)
      await button('Sign in with a passkey').click()
      await page.getByRole('alert').waitFor()
      expect(await page.getByRole('button', { name: 'Account: ann' }).count()).toBe(0)
    })
  })

  test('[MFA-2] a user whose role requires a second factor is led to Account > Security, and sees all afterwards', async () => {
    await service.stop()
    service = await startService({
      config: { tls: { enabled: false }, auth: { mfa: { required_for: ['admin'] } } },
    })
    await service.user('ann', 'admin')
    await expectFactorMissing(service)
    base = service.gate.base.replace('127.0.0.1', 'localhost')
    page = await ownPage()
    await page.clock.install()
    await addAuthenticator()
    await typePassword()
    await page.getByRole('link', { name: 'Set up a second factor' }).click()
    await page.getByText('Your role requires a second factor.').waitFor()
    await button('Add passkey').click()
    await page.getByLabel('Name', { exact: true }).fill('Laptop')
    await button('Create passkey').click()
    await codes().first().waitFor()
    // The user comes back from a password manager, and the profile is read again, which opens the other pages.
    const refetched = page.waitForResponse('**/api/profile')
    await page.clock.fastForward(60_000)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await refetched
    await page.getByRole('navigation', { includeHidden: true }).getByText('Live').waitFor({ state: 'attached' })
    expect(await codes().count()).toBe(10)
    await button('I’ve saved them').click()
    await page.getByText('10 codes left.').waitFor()
    await page.getByRole('link', { name: 'Live' }).first().waitFor()
  })
})
