import { Alert, Button } from '@mantine/core'
import { IconLink, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe } from '../../session/session.ts'
import { useProvider } from '../../session/useProvider.ts'
import { useTexts } from '../../i18n/texts.ts'
import classes from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'
import { InviteUser } from './InviteUser.tsx'
import { NewUser } from './NewUser.tsx'
import { OrphanedUsers } from './OrphanedUsers.tsx'
import { PendingLinks } from './PendingLinks.tsx'
import { UserList } from './UserList.tsx'

/** The users, and what an admin has to know or do about all of them. */
export function UsersPage() {
  const texts = useTexts('settings', 'users')
  const me = useMe()
  const provider = useProvider()
  const [open, setOpen] = useState<'add' | 'invite'>()
  const close = () => setOpen(undefined)

  return (
    <div className={classes.page}>
      <SectionHead
        title={texts.settings.sections.users}
        lead={provider ? texts.users.leadProvider({ name: provider.name }) : texts.users.lead}
      >
        <div className={classes.pair}>
          {provider?.isOnly !== true && (
            <Button
              variant="default"
              leftSection={<IconLink size={18} aria-hidden />}
              onClick={() => setOpen('invite')}
            >
              {texts.users.links.invite}
            </Button>
          )}
          <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={() => setOpen('add')}>
            {texts.users.add}
          </Button>
        </div>
      </SectionHead>
      {provider?.isOnly === true && <Alert color="gate">{texts.users.providerOnly({ name: provider.name })}</Alert>}
      {!me.sign_in_methods.includes('password') && <Alert color="yellow">{texts.users.byProxy}</Alert>}
      <OrphanedUsers />
      <PendingLinks />
      <UserList />
      <NewUser opened={open === 'add'} onClose={close} />
      <InviteUser opened={open === 'invite'} onClose={close} />
    </div>
  )
}
