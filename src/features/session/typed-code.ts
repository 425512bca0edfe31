/** A code as people type it: in any case, with spaces or dashes, and with `O`, `I`, `L` for the digits. */
export const plainCode = (code: string) =>
  code.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
