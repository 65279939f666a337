/** Taints with numbers, and tolerations that compare with them (alpha: gate TaintTolerationComparisonOperators). */
export const taintValues = ['950', '99', '0', 'abc', '0950', '', '9223372036854775807', '9223372036854775808'];
export const operators = ['Lt', 'Gt'];
export const toleratedValues = ['950', '99', '0', '-5', '9223372036854775807', '9223372036854775808', '-0', '007', 'abc', '1e3', ''];

/** By toleration (`Gt 99`): the nodes, named by place in `taintValues`, on which such pods were placed; or why there is no such pod. */
export interface TolerationFacts {
  readonly [toleration: string]: string;
}

export const key = 'example.com/sla';
