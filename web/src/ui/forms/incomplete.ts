/** Whether a field has only some parts of a time. Its value is then empty, as if it had none. */
export const isIncomplete = ({ validity }: HTMLInputElement): boolean => validity.badInput

/** The fields of a form, by name, that have only some parts of a time. */
export function incompleteIn<Field extends string>(form: HTMLFormElement, fields: readonly Field[]): readonly Field[] {
  const inputs = [...form.elements].filter((each) => each instanceof HTMLInputElement)
  const names = new Set(inputs.filter(isIncomplete).map(({ name }) => name))
  return fields.filter((field) => names.has(field))
}
