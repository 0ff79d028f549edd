import { Suspense, useEffect, useRef, useState } from 'react'
import { whenUnconfirmed } from '../api/api.ts'
import { ConfirmIdentity } from '../session/sign-in/lazy-factors.ts'

interface Check {
  readonly confirmed: Promise<boolean>
  readonly settle: (isConfirmed: boolean) => void
}

/** Asks users to confirm who they are whenever a request requires it. Requests at the same time share one dialog. */
export function IdentityCheck() {
  const current = useRef<Check>(undefined)
  const [opened, setOpened] = useState(false)
  const [isMounted, setMounted] = useState(false)

  const done = (isConfirmed: boolean) => {
    setOpened(false)
    current.current?.settle(isConfirmed)
    current.current = undefined
  }
  useEffect(() => {
    whenUnconfirmed(() => {
      if (!current.current) {
        const { promise, resolve } = Promise.withResolvers<boolean>()
        current.current = { confirmed: promise, settle: resolve }
        setMounted(true)
        setOpened(true)
      }
      return current.current.confirmed
    })
    return () => {
      whenUnconfirmed(() => Promise.resolve(false))
      current.current?.settle(false)
      current.current = undefined
    }
  }, [])

  return (
    isMounted && (
      <Suspense>
        <ConfirmIdentity opened={opened} onDone={done} onGone={() => setMounted(false)} />
      </Suspense>
    )
  )
}
