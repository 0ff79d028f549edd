import { Anchor } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PasswordForm } from './PasswordForm.tsx'
import { useTexts } from '../i18n/texts.ts'
import { takeTyped } from '../session/sign-in/fresh-login.ts'
import { profileQuery, useMe } from '../session/session.ts'
import { SmallPage } from '../session/SmallPage.tsx'
import { useSignOut } from '../session/useSignOut.ts'

/** After a login with a password that others know: set a new one, or sign out (BOOT-4). */
export function NewPasswordPage() {
  const { newPassword, account } = useTexts('login')
  const me = useMe()
  const queries = useQueryClient()
  const signOut = useSignOut(me)
  const [typed] = useState(() => takeTyped(me.username))

  return (
    <SmallPage
      page={newPassword.page}
      title={newPassword.title}
      lead={me.password_origin === 'printed' ? newPassword.lead : newPassword.leadGiven}
    >
      <PasswordForm
        userName={me.username}
        submit={newPassword.submit}
        currentLabel={me.password_origin === 'printed' ? newPassword.printed : newPassword.given}
        current={typed}
        onChanged={() => void queries.invalidateQueries({ queryKey: profileQuery.queryKey })}
      />
      {signOut.kind !== 'none' && (
        <Anchor component="button" type="button" mt="md" size="sm" onClick={signOut.act}>
          {account.signOut}
        </Anchor>
      )}
    </SmallPage>
  )
}
