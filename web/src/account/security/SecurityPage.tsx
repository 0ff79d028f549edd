import { Alert, Text, Title } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FactorsResponse } from '../../../../server/src/api-types.ts'
import { loadOf } from '../../api/load.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTexts } from '../../i18n/texts.ts'
import { factorsQuery } from '../../session/factors/factors-query.ts'
import { useMe } from '../../session/session.ts'
import { useProviderName } from '../../session/useProvider.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import classes from '../AccountPage.module.css'
import { AppSection } from './AppSection.tsx'
import { DevicesSection } from './DevicesSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { RecoverySection } from './RecoverySection.tsx'
import { useNewCodes } from './useNewCodes.ts'

/** The signed-in user's second factors: authenticator app, passkeys, recovery codes, remembered devices (MFA-1). */
export function SecurityPage() {
  const { security } = useTexts('security')
  const me = useMe()
  return (
    <div className={classes.page}>
      <PageTitle of={security.title} />
      <div>
        <Title order={1} size="h2">
          {security.title}
        </Title>
        <Text c="dimmed">
          {me.auth === 'oidc' ? <ProviderDecides /> : me.auth === 'password' ? security.lead : security.other}
        </Text>
      </div>
      {me.auth === 'password' && <Loaded />}
    </div>
  )
}

function ProviderDecides() {
  const { security } = useTexts('security')
  return security.provider({ name: useProviderName() })
}

function Loaded() {
  const factors = loadOf(useQuery(factorsQuery))
  switch (factors.state) {
    case 'loading':
      return <ListSkeleton rows={4} />
    case 'failed':
      return <ErrorState part error={factors.error} again={factors.again} />
    case 'ready':
      return <Factors of={factors.value} />
  }
}

function Factors({ of }: { of: FactorsResponse }) {
  const { security } = useTexts('security')
  const queries = useQueryClient()
  const [codes, showCodes] = useNewCodes()
  const hasFactor = of.totp !== null || of.passkeys.length > 0
  const done = () => {
    showCodes(undefined)
    // The first factor can end the restriction of the role, which rebuilds the page.
    void queries.invalidateQueries({ queryKey: queryKeys.profile })
  }
  return (
    <>
      {of.required && !hasFactor && (
        <Alert color="yellow" icon={<IconShieldLock size={20} aria-hidden />}>
          {security.required}
        </Alert>
      )}
      <AppSection app={of.totp} onCodes={showCodes} />
      <PasskeysSection passkeys={of.passkeys} onCodes={showCodes} />
      <RecoverySection left={of.recovery_codes} hasFactor={hasFactor} onCodes={showCodes} />
      <DevicesSection devices={of.devices} />
      {codes && <RecoveryCodesDialog codes={codes} onDone={done} />}
    </>
  )
}
