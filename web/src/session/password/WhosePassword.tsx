/** The username of a password form, for password managers only: hidden from everyone else. */
export function WhosePassword({ userName }: { userName: string }) {
  return (
    <input
      className="visually-hidden"
      name="user"
      autoComplete="username"
      value={userName}
      readOnly
      tabIndex={-1}
      aria-hidden
    />
  )
}
