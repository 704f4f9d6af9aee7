"""What is learned of a unit of the frame, the sample and the responses: posteriors, neighbours, journalists, donors."""
