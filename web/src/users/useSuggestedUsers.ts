import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UserResponse } from '../../../server/src/api-types.ts'
import { usersQuery } from './users.ts'

/** Users whose name contains the typed text. @param max maximum number of users */
export function useSuggestedUsers(typed: string, max: number): readonly UserResponse[] {
  const [search] = useDebouncedValue(typed.trim(), 200)
  const { data } = useQuery({
    ...usersQuery({ search, max }),
    refetchInterval: false,
    placeholderData: keepPreviousData,
  })
  return data?.users ?? []
}
