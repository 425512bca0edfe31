/**
 * Stores the id of the pending second step of signing in, so that a reload of the page does not ask for the
 * password again.
 */
const KEY = 'fundus-anmeldeschritt'

export const pendingStep = (): string | null => sessionStorage.getItem(KEY)

export function storePendingStep(step: string | null): void {
  if (step === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, step)
}
