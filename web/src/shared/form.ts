/** What stands in a form's text field; empty where there is no such field. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
