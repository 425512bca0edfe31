/** Returns the result of `work` or, if it throws, the result of `onError`. */
export function attempt<T, Fallback = undefined>(
  work: () => T,
  onError: (error: unknown) => Fallback = () => undefined as Fallback,
): T | Fallback {
  try {
    return work()
  } catch (error) {
    return onError(error)
  }
}

/** Runs a step that the system may forbid or not support. Returns whether it succeeded. */
export const succeeds = (step: () => void): boolean =>
  attempt(() => {
    step()
    return true
  }) ?? false
