// Which of the two sets of rules applies.

/** `core`: the rules every description is read by. `extended` (the default): the same, and it lifts some refusals. */
export type Profile = 'core' | 'extended';

export const DEFAULT_PROFILE: Profile = 'extended';
