/**
 * Stores the id of the second step between password and code, so that a reload does not ask for the password
 * again.
 */
const KEY = 'fundus-anmeldeschritt'

export const pendingStep = (): string | null => sessionStorage.getItem(KEY)

export function storePendingStep(step: string | null): void {
  if (step === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, step)
}
