import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usersQuery } from './users.ts'

/** Usernames that contain the typed text. @param max maximum number of names */
export function useSuggestedUsers(typed: string, max: number): string[] {
  const [search] = useDebouncedValue(typed.trim(), 200)
  const { data } = useQuery({
    ...usersQuery({ search, max }),
    refetchInterval: false,
    placeholderData: keepPreviousData,
  })
  return data?.users.map(({ username }) => username) ?? []
}
