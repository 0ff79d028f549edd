/** Password managers want to know whose password a form is about; nobody else sees it. */
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
